import path from "node:path";
import { AppError } from "@/lib/platform/errors";
import { displayUrl, type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";

/** Limits for large feeds and slow servers. */
const MAX_BYTES = 8 * 1024 ** 3;
const TIMEOUT = 60 * 60_000;
/**
 * After this many milliseconds of waiting, a server must have sent at least the minimum bytes per second on average.
 */
const SLOW_AFTER_MS = 60_000;
const MIN_BYTES_PER_SECOND = 10_000;
/**
 * After this multiple of it, the required speed grows with the waiting time, so that no import takes a lane for an
 * hour.
 */
const GRACE = 5;

/** Validators of the last fetch, with which a server may respond that nothing changed. */
export type FeedVersion = { etag: string | null; lastModified: string | null };

export type FetchedFeed =
  | { notModified: true }
  | ({
      notModified: false;
      body: GuardedResponse["body"];
      filename: string;
      source: string;
      charset?: string;
    } & FeedVersion);

/**
 * Fetches a feed as a stream, protected against internal addresses. Credentials in the URL are sent as Basic auth and
 * appear nowhere else: `source` is the URL without credentials and query. Throws AppError `invalid_field` (field `url`)
 * for a forbidden URL or a 4xx response, `unavailable` if the server can't be reached, fails, disconnects or is too
 * slow while the body is read, since other imports wait for it.
 */
export async function fetchFeed(
  url: string,
  known: Partial<FeedVersion> = {},
  { network, patience = SLOW_AFTER_MS }: { network?: GuardedRequest["network"]; patience?: number } = {},
): Promise<FetchedFeed> {
  const headers: Record<string, string> = { "accept-encoding": "gzip" }; // the reader unpacks compressed files
  if (known.etag) headers["if-none-match"] = known.etag;
  if (known.lastModified) headers["if-modified-since"] = known.lastModified;
  const answer = await guardedFetch(url, { headers, maxBytes: MAX_BYTES, timeout: TIMEOUT, network });
  const source = displayUrl(new URL(answer.url));
  if (answer.status === 304) {
    answer.body.destroy();
    return { notModified: true };
  }
  if (answer.status < 200 || answer.status > 299) {
    answer.body.destroy();
    const statusError = { reason: "bad_status", params: { address: source, status: answer.status } } as const;
    if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
      throw new AppError("invalid_field", { ...statusError, field: "url" });
    }
    throw new AppError("unavailable", statusError);
  }
  return {
    notModified: false,
    body: requireSpeed(answer.body, source, patience),
    filename: path.posix.basename(new URL(answer.url).pathname),
    source,
    ...charsetOf(answer.headers["content-type"]),
    etag: answer.headers.etag ?? null,
    lastModified: answer.headers["last-modified"] ?? null,
  };
}

const charsetOf = (type: string | undefined): { charset?: string } => {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type ?? "")?.[1];
  return charset === undefined ? {} : { charset };
};

/** Fails if the body is too slow. Counts only the time waiting for the server, not for the consumer. */
function requireSpeed(body: GuardedResponse["body"], source: string, patience: number): GuardedResponse["body"] {
  async function* pieces() {
    let bytes = 0;
    let waited = 0;
    let readStartedAt = performance.now();
    for await (const piece of body) {
      waited += performance.now() - readStartedAt;
      bytes += piece.length;
      const requiredSpeed = MIN_BYTES_PER_SECOND * Math.max(1, waited / (GRACE * patience));
      if (waited > patience && bytes / (waited / 1000) < requiredSpeed)
        throw new AppError("unavailable", {
          reason: "sends_too_slowly",
          params: { address: source, bytes, seconds: Math.round(waited / 1000) },
        });
      yield piece;
      readStartedAt = performance.now();
    }
  }
  return Object.assign(pieces(), { destroy: body.destroy });
}
