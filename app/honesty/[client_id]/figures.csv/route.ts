import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { honestyFiguresCsvContract } from "@/lib/display/honesty/contract";
import { showHonestyCsv } from "@/lib/display/honesty/show-figures";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(honestyFiguresCsvContract, ({ params, headers }) => showHonestyCsv(params.client_id, headers)),
);
