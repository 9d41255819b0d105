import { descriptionReply } from "@/app/_description";
import { methods } from "@/lib/api/methods";
import { portalDescriptionContract } from "@/lib/api/openapi";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(portalDescriptionContract, ({ headers }) => descriptionReply("portal", headers.get("if-none-match"))),
);
