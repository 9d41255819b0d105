import { notFoundMethods } from "@/lib/api/methods";

// 404 for paths that no other folder here serves.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundMethods();
