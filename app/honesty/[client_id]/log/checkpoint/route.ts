import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { checkpointContract } from "@/lib/honesty/contract";
import { showCheckpoint } from "@/lib/honesty/show-log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(checkpointContract, ({ params }) => showCheckpoint(params.client_id)),
);
