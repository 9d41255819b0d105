import { LRUCache } from "lru-cache";
import { onClientChanged } from "@/lib/platform/db/cache";
import { AppError } from "@/lib/platform/errors";
import { etagOf, matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { perProcess } from "@/lib/platform/process";

type Answer = { clientId: string; bytes: Uint8Array<ArrayBuffer>; etag: string; version: string };

/** Bytes of ready answers that a process keeps. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

const answerCache = () =>
  perProcess("display-answers", () => {
    const kept = new LRUCache<string, Answer>({
      maxSize: MAX_CACHE_BYTES,
      sizeCalculation: ({ bytes, version }, key) => bytes.length + key.length + version.length + 200,
    });
    // An old version is never shown, but would lie here with the words of somebody who was erased.
    const dropClient = (id: string) => {
      for (const [key, { clientId }] of kept.entries()) if (clientId === id) kept.delete(key);
    };
    onClientChanged(dropClient, () => kept.clear());
    return kept;
  });
const pendingLoads = () => perProcess("display-loading", () => new Map<string, Promise<Answer>>());

export type ShowOptions = { callback?: string; ifNoneMatch: string | null };

/** What is shown, of a client. `S` is what the look-up tells. */
export type Display<S, T> = {
  clientId: string;
  /** tells apart all that may be asked of a client */
  name: string;
  /** what is current right now, from the database; null for an unknown client */
  lookUp: () => Promise<S | null>;
  /** the version that the answer is good for */
  versionOf: (current: S) => string;
  /** the answer's value, of one moment, which is that of `current` or later */
  make: (current: S) => Promise<T>;
};

/**
 * A public answer, from memory while its version holds. It is kept by the version that was current before it was made: it
 * may hold what is newer, never what is older, and whatever is newer moves the version. Throws `not_found` for an unknown
 * client.
 */
export async function show<S, T>(display: Display<S, T>, options: ShowOptions): Promise<Reply<T>> {
  const current = await display.lookUp();
  if (!current) throw unknownClient();
  const key = JSON.stringify([display.clientId, display.name]);
  const version = display.versionOf(current);
  const cached = answerCache().get(key);
  const { bytes, etag } = cached?.version === version ? cached : await load(key, version, display, current);
  return displayReply(bytes, etag, options);
}

/** An answer that everybody may keep for a moment: 304 to whoever has it, as a script where a callback is named. */
export function displayReply<T>(
  bytes: Uint8Array<ArrayBuffer>,
  etag: string,
  { callback, ifNoneMatch }: ShowOptions,
): Reply<T> {
  const headers = { ETag: etag, "Cache-Control": "public, max-age=10, stale-while-revalidate=60" };
  if (matchesEtag(ifNoneMatch, etag)) return new Reply<T>(undefined, { status: 304, headers });
  if (callback === undefined) return new Reply<T>(new RawJson(bytes), { headers });
  // Both are line breaks in scripts for browsers from before 2019, and nothing but text in JSON.
  const json = new TextDecoder().decode(bytes).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const script = `/**/${callback}(${json});`;
  return new Reply<T>(new RawJson(script), {
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" },
  });
}

/** Calls that saw the same version share one load: it began after that version was there, so what it reads is as new. */
function load<S, T>(key: string, version: string, { clientId, make }: Display<S, T>, current: S): Promise<Answer> {
  const loadKey = `${version}|${key}`;
  const running = pendingLoads().get(loadKey);
  if (running) return running;
  const started = make(current)
    .then((value) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      const answer = { clientId, bytes, etag: etagOf(bytes), version };
      answerCache().set(key, answer);
      return answer;
    })
    .finally(() => pendingLoads().delete(loadKey));
  pendingLoads().set(loadKey, started);
  return started;
}

export const unknownClient = () => new AppError("not_found", { reason: "public_client_not_found", field: "client_id" });
