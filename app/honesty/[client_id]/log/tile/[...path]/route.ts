import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { tileContract } from "@/lib/honesty/contract";
import { showTile } from "@/lib/honesty/show-log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(tileContract, ({ params, headers }) => showTile(params.client_id, params.path, headers)),
);
