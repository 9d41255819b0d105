import { descriptionReply } from "@/app/_description";
import { methods } from "@/lib/http/methods";
import { apiDescriptionContract } from "@/lib/http/openapi";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(apiDescriptionContract, ({ headers }) => descriptionReply("public", headers.get("if-none-match"))),
);
