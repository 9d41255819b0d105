import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { logKeyContract } from "@/lib/honesty/contract";
import { showKeys } from "@/lib/honesty/show-log";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(logKeyContract, ({ params }) => showKeys(params.client_id)),
);
