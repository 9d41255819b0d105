import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyPageContract } from "@/lib/display/honesty/contract";
import { showHonestyPage } from "@/lib/display/honesty/show-figures";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyPageContract, ({ params, query, headers }) => showHonestyPage(params.client_id, query.lang, headers)),
);
