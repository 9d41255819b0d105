import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { hidePhoto } from "@/lib/moderation/hide-photo";
import { hidePhotoContract } from "@/lib/moderation/queue/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(hidePhotoContract, ({ actor, client, params: { kind, id, token }, body }) =>
    hidePhoto(actor, client, kind, id, token, body.hidden),
  ),
);
