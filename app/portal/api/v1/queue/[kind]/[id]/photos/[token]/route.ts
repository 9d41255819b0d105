import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { hidePhotoContract } from "@/lib/moderation/queue/contract";
import { hidePhoto } from "@/lib/reviews/decisions/hide-photo";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(hidePhotoContract, ({ actor, client, params: { kind, id, token }, body }) =>
    hidePhoto(actor, client, kind, id, token, body.hidden),
  ),
);
