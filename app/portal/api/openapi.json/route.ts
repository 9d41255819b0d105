import { descriptionReply } from "@/app/_description";
import { methods } from "@/lib/http/methods";
import { portalDescriptionContract } from "@/lib/http/openapi";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(portalDescriptionContract, ({ headers }) => descriptionReply("portal", headers.get("if-none-match"))),
);
