import { descriptionReply } from "@/app/_description";
import { portalDescriptionContract } from "@/lib/api/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(portalDescriptionContract, ({ headers }) => descriptionReply("portal", headers.get("if-none-match"))),
);
