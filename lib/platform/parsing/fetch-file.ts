import path from "node:path";
import { AppError } from "@/lib/platform/errors";
import { displayUrl, type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";

/** A feed may be large and its server slow, but neither without end. */
const MAX_BYTES = 8 * 1024 ** 3;
const TIMEOUT = 60 * 60_000;
/** Milliseconds after which a server must have sent so many bytes a second, on average over what it was waited for. */
const SLOW_AFTER_MS = 60_000;
const MIN_BYTES_PER_SECOND = 10_000;
/** After so many times that patience it must send faster, the longer it is waited for: nobody holds a lane for an hour. */
const GRACE = 5;

/** What the last fetch answered; a server that knows it may say that nothing changed. */
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
 * Fetches a feed as a stream, under the guard against internal addresses. A user and a password in the address are sent as
 * Basic credentials and appear nowhere else: `source` is the address without them and without its query.
 * Throws AppError `invalid_field` (field `url`) for an address that may not be fetched or that the server refuses (4xx),
 * `unavailable` when the server cannot be reached, fails, or breaks off or drips while the body is read: others' imports wait
 * for it to end.
 */
export async function fetchFeed(
  url: string,
  known: Partial<FeedVersion> = {},
  { network, patience = SLOW_AFTER_MS }: { network?: GuardedRequest["network"]; patience?: number } = {},
): Promise<FetchedFeed> {
  const headers: Record<string, string> = { "accept-encoding": "gzip" }; // the reader unpacks whatever comes packed
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

/** The body as long as it comes at a pace. Only waiting for the server counts, not what is done with each piece. */
function requireSpeed(body: GuardedResponse["body"], source: string, patience: number): GuardedResponse["body"] {
  async function* pieces() {
    let bytes = 0;
    let waited = 0;
    let readStartedAt = performance.now();
    for await (const piece of body) {
      waited += performance.now() - readStartedAt;
      bytes += piece.length;
      const wanted = MIN_BYTES_PER_SECOND * Math.max(1, waited / (GRACE * patience));
      if (waited > patience && bytes / (waited / 1000) < wanted)
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
