import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { removeViewContract } from "@/lib/queue/contract";
import { removeView } from "@/lib/queue/views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeViewContract, ({ actor, client, params }) => removeView(actor, client, params.id)),
);
