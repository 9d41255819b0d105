import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyBadgeContract } from "@/lib/display/honesty/contract";
import { showHonestyBadge } from "@/lib/display/honesty/show-figures";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyBadgeContract, ({ params, query, headers }) =>
    showHonestyBadge(params.client_id, query.lang, headers),
  ),
);
