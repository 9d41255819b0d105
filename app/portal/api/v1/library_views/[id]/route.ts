import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { removeLibraryViewContract } from "@/lib/moderation/library/contract";
import { removeView } from "@/lib/moderation/saved-views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(removeLibraryViewContract, ({ actor, client, params }) => removeView(actor, client, "library", params.id)),
);
