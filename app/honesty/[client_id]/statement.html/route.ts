import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyStatementContract } from "@/lib/display/honesty/contract";
import { showHonestyStatement } from "@/lib/display/honesty/show-figures";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyStatementContract, ({ params, query, headers }) =>
    showHonestyStatement(params.client_id, query.lang, headers),
  ),
);
