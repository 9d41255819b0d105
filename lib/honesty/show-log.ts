import { LRUCache } from "lru-cache";
import { getClient } from "@/lib/accounts/stores/get-client";
import { parseTilePath, TILE_WIDTH } from "@/lib/honesty/log/tree";
import { keysText } from "@/lib/honesty/log-source";
import { type LogHead, readHead, readTileFile } from "@/lib/honesty/read-log";
import { AppError } from "@/lib/platform/errors";
import { type Asset, assetReply, IMMUTABLE_CACHE, toAsset } from "@/lib/platform/http/asset";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { perProcess } from "@/lib/platform/process";

/** Bytes of tiles kept in memory: a full bundle has about 60 kB. */
const MEMORY = 32 * 1024 * 1024;
const tiles = () =>
  perProcess(
    "log-tiles",
    () =>
      new LRUCache<string, Asset>({
        maxSize: MEMORY,
        sizeCalculation: ({ plain, gzip }) => plain.length + gzip.length,
      }),
  );

/** The checkpoint of a client's log. Throws `not_found` before its first entry. */
export async function showCheckpoint(clientId: string): Promise<Reply<undefined>> {
  return plainText((await headOf(clientId)).checkpoint);
}

/** The verifier keys of a client's log, a line each. Throws `not_found` before its first entry. */
export async function showKeys(clientId: string): Promise<Reply<undefined>> {
  return plainText(await keysText((await headOf(clientId)).origin));
}

/** A tile or bundle. Throws `not_found` for a path that isn't one, or that the log doesn't have yet. */
export async function showTile(clientId: string, path: string, headers: Headers): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  const place = parseTilePath(`tile/${path}`);
  if (!client || !place) throw unknownLog();
  // A store that was created again with the same id has another log.
  const key = `${client.public_key}|${path}`;
  let asset = tiles().get(key);
  if (!asset) {
    const bytes = await readTileFile(clientId, `tile/${path}`);
    if (!bytes) throw unknownLog();
    asset = toAsset(new Uint8Array(bytes));
    // Each of a tile's 255 partial widths is an address of its own: they would take the place of whole tiles.
    if (place.width === TILE_WIDTH) tiles().set(key, asset);
  }
  return assetReply(asset, headers, IMMUTABLE_CACHE);
}

async function headOf(clientId: string): Promise<LogHead> {
  const head = (await getClient(clientId)) && (await readHead(clientId));
  if (!head) throw unknownLog();
  return head;
}

const unknownLog = () => new AppError("not_found", { reason: "log_not_found" });

const plainText = (text: string): Reply<undefined> =>
  new Reply<undefined>(new RawJson(text), { headers: { "Cache-Control": "no-cache" } });
