import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { removeViewContract } from "@/lib/moderation/queue/contract";
import { removeView } from "@/lib/moderation/saved-views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeViewContract, ({ actor, client, params }) => removeView(actor, client, "queue", params.id)),
);
