import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { readImageContract } from "@/lib/reviews/uploads/contract";
import { readImage } from "@/lib/reviews/uploads/read-image";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(readImageContract, ({ params, query, headers }) => readImage(params, query, headers.get("if-none-match"))),
);
