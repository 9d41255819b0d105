import { readClient } from "@/lib/accounts/stores/get-client";
import { checkReviewFeed, type FeedCheck } from "@/lib/display/google-feed/check-feed";
import type { SkipReason } from "@/lib/display/google-feed/feed-xml";
import { type FeedProgress, writeReviewFeed } from "@/lib/display/google-feed/write-feed";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { readSource } from "@/lib/platform/parsing/read-source";
import { FeedReport } from "@/lib/platform/parsing/report";
import { unpackGzip } from "@/lib/platform/parsing/unpack";

/** Checks a feed in a file on this machine or at an http(s) URL, plain or gzipped. See `readSource` for its errors. */
export const checkReviewFeedFrom = (fileOrUrl: string): Promise<FeedCheck> =>
  readSource(fileOrUrl, (input) => checkReviewFeed(unpacked(input)));

/** Checks a client's feed as it would be fetched now, and counts the reviews that it can't contain. */
export async function checkReviewFeedOf(
  clientId: string,
): Promise<FeedCheck & { skipped: Record<SkipReason, number> }> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  let skipped: FeedProgress["skipped"] = { no_text: 0, no_address: 0 };
  const feed = writeReviewFeed(client, (written) => {
    skipped = written.skipped;
  });
  const bytes = async function* () {
    const encoder = new TextEncoder();
    for await (const text of feed) yield encoder.encode(text);
  };
  return { ...(await checkReviewFeed(bytes())), skipped };
}

/** Unzips the bytes if they start like a gzip file. Throws `invalid_field` for a damaged one. */
async function* unpacked(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = input[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done) return;
  const all = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield* all();
    return;
  }
  const report = new FeedReport();
  yield* unpackGzip(all(), report);
  if (report.incomplete) throw new AppError("invalid_field", { reason: report.incomplete, field: "file" });
}
