import { descriptionReply } from "@/app/_description";
import { apiDescriptionContract } from "@/lib/api/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(apiDescriptionContract, ({ headers }) => descriptionReply("public", headers.get("if-none-match"))),
);
