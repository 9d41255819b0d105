import { LRUCache } from "lru-cache";
import { onClientNews } from "@/lib/db/cache";
import { type Db, snapshot } from "@/lib/db/pool";
import { perProcess } from "@/lib/db/process";
import { type Asked, lookUp, type Shown } from "@/lib/display/versions";
import { AppError } from "@/lib/errors";
import { etagOf, matchesEtag } from "@/lib/http/etag";
import { RawJson, Reply } from "@/lib/http/reply";

type Answer = { clientId: string; bytes: Uint8Array<ArrayBuffer>; etag: string; version: string };

/** Bytes of ready answers that a process keeps. */
const KEPT_BYTES = 64 * 1024 * 1024;

const answers = () =>
  perProcess("display-answers", () => {
    const kept = new LRUCache<string, Answer>({
      maxSize: KEPT_BYTES,
      sizeCalculation: ({ bytes, version }, key) => bytes.length + key.length + version.length + 200,
    });
    // An old version is never shown, but would lie here with the words of somebody who was erased.
    const dropClient = (id: string) => {
      for (const [key, { clientId }] of kept.entries()) if (clientId === id) kept.delete(key);
    };
    onClientNews(dropClient, () => kept.clear());
    return kept;
  });
const loading = () => perProcess("display-loading", () => new Map<string, Promise<Answer>>());

export type ShowOptions = { callback?: string; ifNoneMatch: string | null };

/** What is shown: `name` tells apart what one client's call may ask, `by` is the version that it is good for. */
type Display<T> = { name: string; by: "version" | "figures"; make: (db: Db, shown: Shown) => Promise<T> };

/**
 * A public answer, from memory while its version holds; `make` builds the value from one snapshot of the database. Throws
 * `not_found` for an unknown client.
 */
export async function show<T>(
  display: Display<T>,
  asked: Asked,
  { callback, ifNoneMatch }: ShowOptions,
): Promise<Reply<T>> {
  const current = await lookUp(asked);
  if (!current) throw unknownClient();
  const key = JSON.stringify([display.name, asked.clientId, asked.key, asked.urlKey]);
  const held = answers().get(key);
  const answer = held?.version === current[display.by] ? held : await load(key, asked, current, display);
  const headers = { ETag: answer.etag, "Cache-Control": "public, max-age=10, stale-while-revalidate=60" };
  if (matchesEtag(ifNoneMatch, answer.etag)) return new Reply<T>(undefined, { status: 304, headers });
  if (callback === undefined) return new Reply<T>(new RawJson(answer.bytes), { headers });
  const script = `/**/${callback}(${new TextDecoder().decode(answer.bytes)});`;
  return new Reply<T>(new RawJson(script), {
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" },
  });
}

/**
 * Calls that saw the same version share one load: it began after that version was there, so what it reads is as new. The
 * answer carries the version of its own snapshot, which may be newer still.
 */
function load<T>(key: string, asked: Asked, seen: Shown, { by, make }: Display<T>): Promise<Answer> {
  const flight = `${seen[by]}|${key}`;
  const running = loading().get(flight);
  if (running) return running;
  const started = snapshot(async (db) => {
    const shown = await lookUp(asked, db);
    if (!shown) throw unknownClient();
    const bytes = new TextEncoder().encode(JSON.stringify(await make(db, shown)));
    const answer = { clientId: asked.clientId, bytes, etag: etagOf(bytes), version: shown[by] };
    answers().set(key, answer);
    return answer;
  }).finally(() => loading().delete(flight));
  loading().set(flight, started);
  return started;
}

export const unknownClient = () => new AppError("not_found", "There is no such client.", { field: "client_id" });
