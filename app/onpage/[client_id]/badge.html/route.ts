import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { badgeFragmentContract } from "@/lib/widget/contract";
import { showBadge } from "@/lib/widget/show-fragment";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(badgeFragmentContract, ({ params, query, headers }) => showBadge(params.client_id, query, headers)),
);
