import { notFoundMethods } from "@/lib/api/methods";

// Whatever no other folder here answers.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundMethods();
