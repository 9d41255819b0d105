import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { readImageContract } from "@/lib/uploads/contract";
import { readImage } from "@/lib/uploads/read-image";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(readImageContract, ({ params, query, headers }) => readImage(params, query, headers.get("if-none-match"))),
);
