import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import type { Entry } from "@/lib/honesty/entry";
import { inclusionProof, type ReadTile, readBundle, TILE_WIDTH } from "@/lib/honesty/log/tree";
import { type LogHead, readHead } from "@/lib/honesty/read-log";
import { verifierKeys } from "@/lib/honesty/signing-keys";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type ReceiptKind, receiptLetters } from "@/lib/platform/http/honesty-page";
import { itemReference } from "@/lib/reviews/decisions/item-reference";
import { type ItemEvent, selectBundle, selectBundlesOf, selectItemEvents, selectPosition, selectTile } from "./sql";

/** `unconfirmed`: pending until the author confirms the address. */
export type ReceiptStatus = "pending" | "unconfirmed" | "published" | "rejected" | "deleted" | "erased";

/** An entry about the item, and the proof that the checkpoint's log has it. */
export type ProvenEntry = {
  index: number;
  /** the entry as the log has it: its bytes are hashed */
  text: string;
  entry: Entry & { item: string };
  /** hashes from the entry's sibling to the root's child: RFC 6962, 2.1.1 */
  proof: Buffer[];
};

/** What became of one text, with proofs. */
export type Receipt = {
  client: ClientRow;
  kind: ReceiptKind;
  /** the item's reference in the log */
  item: string;
  status: ReceiptStatus;
  entries: ProvenEntry[];
  /** whether something of it isn't in the log yet */
  is_behind: boolean;
  /** null before the log's first entry */
  head: LogHead | null;
  keys: string[];
};

/**
 * The receipt that a token names. Throws `not_found` for every other token, without telling whether its item exists.
 * Once the item is deleted, the history has only its reference, which is computed from the token's salt.
 */
export async function openReceipt(clientId: string, token: string): Promise<Receipt> {
  const named = parseToken(token);
  const client = named && (await getClient(clientId));
  if (!client) throw unknownReceipt();
  const { kind, id, salt } = named;
  const item = itemReference(salt);
  const events = await selectItemEvents(pool(), { clientId, kind, id, salt, item });
  const last = events.at(-1);
  if (!last) throw unknownReceipt();
  // What is behind the position when it is read is in the head that is read afterwards.
  const position = await selectPosition(pool());
  const head = await readHead(clientId);
  const entries = head ? await findEntries(clientId, head.size, kind, item, events) : [];
  return {
    client,
    kind,
    item,
    status: statusOf(events, entries),
    entries,
    is_behind: last.id > position,
    head,
    keys: head ? await verifierKeys(pool(), head.origin) : [],
  };
}

function parseToken(token: string): { kind: ReceiptKind; id: string; salt: string } | undefined {
  const match = /^([a-z])\.([\w-]{1,64})\.([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    token,
  );
  const [, letter, id = "", ...salt] = match ?? [];
  const kinds = Object.keys(receiptLetters) as ReceiptKind[];
  const kind = kinds.find((name) => receiptLetters[name] === letter);
  return kind && { kind, id, salt: salt.join("-") };
}

const unknownReceipt = () => new AppError("not_found", { reason: "receipt_not_found" });

async function findEntries(
  clientId: string,
  size: number,
  kind: ReceiptKind,
  item: string,
  events: ItemEvent[],
): Promise<ProvenEntry[]> {
  const readTile = tilesOf(clientId);
  const found: ProvenEntry[] = [];
  const bundles = await selectBundlesOf(
    pool(),
    clientId,
    events.map(({ id }) => id),
  );
  for (const n of bundles) {
    const bytes = (await selectBundle(pool(), clientId, n)) ?? Buffer.alloc(0);
    for (const [at, encoded] of readBundle(bytes).entries()) {
      const index = n * TILE_WIDTH + at;
      // The log may have grown since its head was read.
      if (index >= size) break;
      const entry: Entry = JSON.parse(encoded.toString());
      if (!("item" in entry) || entry.item !== item || entry.kind !== kind) continue;
      found.push({ index, text: encoded.toString(), entry, proof: await inclusionProof(index, size, readTile) });
    }
  }
  return found;
}

/** Reads each of the log's tiles once. */
function tilesOf(clientId: string): ReadTile {
  const known = new Map<string, Promise<Buffer>>();
  const read = async (level: number, n: number) => {
    const hashes = await selectTile(pool(), clientId, level, n);
    if (!hashes) throw new Error(`The log of ${clientId} lacks tile ${n} of level ${level}.`);
    return hashes;
  };
  return (level, n) => {
    const key = `${level}/${n}`;
    const tile = known.get(key) ?? read(level, n);
    known.set(key, tile);
    return tile;
  };
}

function statusOf(events: ItemEvent[], entries: ProvenEntry[]): ReceiptStatus {
  const ending = events.findLast(({ action }) => action === "deleted" || action === "erased");
  if (ending) return ending.action as "deleted" | "erased";
  const state = events.findLast(({ to_state }) => to_state !== null)?.to_state;
  if (state === "accepted") return "published";
  if (state === "rejected") return "rejected";
  const isUnconfirmed = entries.some(({ entry }) => entry.type === "received" && entry.unconfirmed);
  return isUnconfirmed && !events.some(({ action }) => action === "verified") ? "unconfirmed" : "pending";
}
