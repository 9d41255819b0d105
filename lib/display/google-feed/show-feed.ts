import { readClient } from "@/lib/accounts/stores/get-client";
import { writeReviewFeed } from "@/lib/display/google-feed/write-feed";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { acceptsGzip } from "@/lib/platform/http/accepts-gzip";
import { matchesEtag } from "@/lib/platform/http/etag";
import { bytesOf, Reply, StreamedBody } from "@/lib/platform/http/reply";
import { selectFeedVersion } from "./sql";

/** Increase it if the same rows are written differently. */
const FEED_VERSION = 2;

/** `packed`: a gzip file. Otherwise `acceptEncoding` decides whether the response is compressed. */
type FeedRequest = { ifNoneMatch: string | null } & (
  | { packed: true }
  | { packed: false; acceptEncoding: string | null }
);

/**
 * Streams the feed; 304 if nothing changed. Its ETag is weak, since reviews may change while it's written; the version
 * is looked up first, so a later change always changes the tag. Throws `not_found`.
 */
export async function showReviewFeed(clientId: string, request: FeedRequest): Promise<Reply<undefined>> {
  const version = await selectFeedVersion(clientId);
  // Not from the cache, which may be slightly older than the version.
  const client = version === null ? null : await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "public_client_not_found", field: "client_id" });
  const etag = `W/"${FEED_VERSION}.${version}"`;
  const headers: Record<string, string> = { ETag: etag, "Cache-Control": "public, no-cache" };
  if (!request.packed) headers.Vary = "Accept-Encoding";
  if (matchesEtag(request.ifNoneMatch, etag) || matchesEtag(request.ifNoneMatch, etag.slice(2)))
    return new Reply<undefined>(undefined, { status: 304, headers });
  const plain = bytesOf(writeReviewFeed(client));
  if (!request.packed && !acceptsGzip(request.acceptEncoding))
    return new Reply<undefined>(new StreamedBody(plain), { headers });
  if (!request.packed) headers["Content-Encoding"] = "gzip";
  else headers["Content-Disposition"] = 'attachment; filename="product_reviews.xml.gz"';
  return new Reply<undefined>(new StreamedBody(plain.pipeThrough(new CompressionStream("gzip"))), { headers });
}
