import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { badgeFragmentContract } from "@/lib/display/widget/contract";
import { showBadge } from "@/lib/display/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(badgeFragmentContract, ({ params, query, headers }) => showBadge(params.client_id, query, headers)),
);
