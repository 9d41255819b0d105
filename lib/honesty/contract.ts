import { LogParams, TileParams } from "@/lib/honesty/schema";
import { endpoint } from "@/lib/platform/http/contract";

const shared = { method: "GET", tag: "Honesty", auth: "public", params: LogParams } as const;
const example = { params: { client_id: "shop.example.com" } };

export const checkpointContract = endpoint({
  ...shared,
  id: "honesty.checkpoint",
  path: "/honesty/{client_id}/log/checkpoint",
  summary: "Retrieve the signed head of a store's log",
  description:
    "Size and root of the log, signed by the keys of this installation (https://c2sp.org/tlog-checkpoint). 404 before the first entry. What happens is in the log about a second later.",
  produces: "text/plain; charset=utf-8",
  example,
});

export const logKeyContract = endpoint({
  ...shared,
  id: "honesty.key",
  path: "/honesty/{client_id}/log/key",
  summary: "Retrieve the keys that verify a store's log",
  description: "A verifier key per line (https://c2sp.org/signed-note): one, or two while the key is being replaced.",
  produces: "text/plain; charset=utf-8",
  example,
});

export const tileContract = endpoint({
  ...shared,
  id: "honesty.tile",
  path: "/honesty/{client_id}/log/tile/{path}",
  summary: "Retrieve hashes or entries of a store's log",
  description:
    "Tiles of the tree and bundles of entries (https://c2sp.org/tlog-tiles). They never change, and can be cached forever. 404 for what the log doesn't have yet.",
  params: TileParams,
  alternatives: { 304: undefined },
  produces: "application/octet-stream",
  example: { params: { client_id: "shop.example.com", path: "entries/000.p/3" } },
});
