import { LRUCache } from "lru-cache";
import { onClientChanged } from "@/lib/platform/db/cache";
import { AppError } from "@/lib/platform/errors";
import { etagOf, matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { perProcess } from "@/lib/platform/process";

type Answer = { clientId: string; bytes: Uint8Array<ArrayBuffer>; etag: string; version: string };

/** Bytes of responses that a process caches. */
const MAX_CACHE_BYTES = 64 * 1024 * 1024;

const answerCache = () =>
  perProcess("display-answers", () => {
    const cache = new LRUCache<string, Answer>({
      maxSize: MAX_CACHE_BYTES,
      sizeCalculation: ({ bytes, version }, key) => bytes.length + key.length + version.length + 200,
    });
    // An old version is never shown, but would still hold the texts of a person who was erased.
    const dropClient = (id: string) => {
      for (const [key, { clientId }] of cache.entries()) if (clientId === id) cache.delete(key);
    };
    onClientChanged(dropClient, () => cache.clear());
    return cache;
  });
const pendingLoads = () => perProcess("display-loading", () => new Map<string, Promise<Answer>>());

export type ShowOptions = { callback?: string; ifNoneMatch: string | null };

/** A cacheable display of a client. `S` is the result of the look-up. */
type Display<S, T> = {
  clientId: string;
  /** identifies what is shown among all of the client */
  name: string | ((current: S) => string);
  /** the present versions, from the database; null for an unknown client */
  lookUp: () => Promise<S | null>;
  /** the version under which the response is cached */
  versionOf: (current: S) => string;
  /** loads the response's value, of one moment that is not earlier than `current` */
  make: (current: S) => Promise<T>;
  /** what the request changes in the response, so that each of its forms isn't cached; undefined for nothing */
  adapt?: ((value: T) => T) | undefined;
};

/**
 * A public response, from the cache if its version is current. It's stored under the version read before it was loaded:
 * it may contain newer data, never older, and newer data changes the version. Throws `not_found` for an unknown client.
 */
export async function show<S, T>(display: Display<S, T>, options: ShowOptions): Promise<Reply<T>> {
  const current = await display.lookUp();
  if (!current) throw unknownClient();
  const name = typeof display.name === "string" ? display.name : display.name(current);
  const key = JSON.stringify([display.clientId, name]);
  const version = display.versionOf(current);
  const cached = answerCache().get(key);
  const { bytes, etag } = cached?.version === version ? cached : await load(key, version, display, current);
  if (!display.adapt) return displayReply(bytes, etag, options);
  const adapted = new TextEncoder().encode(JSON.stringify(display.adapt(JSON.parse(new TextDecoder().decode(bytes)))));
  return displayReply(adapted, etagOf(adapted), options);
}

/** A response cacheable for a moment: 304 for a matching ETag, a script if a callback is given. */
export function displayReply<T>(
  bytes: Uint8Array<ArrayBuffer>,
  etag: string,
  { callback, ifNoneMatch }: ShowOptions,
): Reply<T> {
  const headers = { ETag: etag, "Cache-Control": "public, max-age=10, stale-while-revalidate=60" };
  if (matchesEtag(ifNoneMatch, etag)) return new Reply<T>(undefined, { status: 304, headers });
  if (callback === undefined) return new Reply<T>(new RawJson(bytes), { headers });
  // Browsers before 2019 treat both as line breaks in scripts; in JSON they're plain text.
  const json = new TextDecoder().decode(bytes).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  const script = `/**/${callback}(${json});`;
  return new Reply<T>(new RawJson(script), {
    headers: { ...headers, "Content-Type": "text/javascript; charset=utf-8" },
  });
}

/** Calls that saw the same version share one load: it started after that version existed, so its data is as new. */
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
