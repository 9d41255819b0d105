import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyFiguresContract } from "@/lib/display/honesty/contract";
import { showHonestyFigures } from "@/lib/display/honesty/show-figures";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyFiguresContract, ({ params, headers }) => showHonestyFigures(params.client_id, headers)),
);
