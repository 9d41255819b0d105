import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { hidePhoto } from "@/lib/moderation/hide-photo";
import { hidePhotoContract } from "@/lib/queue/contract";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(hidePhotoContract, ({ actor, client, params: { kind, id, token }, body }) =>
    hidePhoto(actor, client, kind, id, token, body.hidden),
  ),
);
