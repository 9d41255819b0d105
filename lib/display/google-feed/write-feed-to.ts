import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { readClient } from "@/lib/accounts/stores/get-client";
import { type FeedProgress, writeReviewFeed } from "@/lib/display/google-feed/write-feed";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";

/**
 * Writes a client's feed to a file, which gets its name once it's complete (gzipped if it ends in `.gz`), or to
 * standard output. Throws `not_found`.
 */
export async function writeReviewFeedTo(
  clientId: string,
  file?: string,
): Promise<FeedProgress & { file: string | null }> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  let written: FeedProgress = { reviews: 0, skipped: { no_text: 0, no_address: 0 } };
  const text = Readable.from(
    writeReviewFeed(client, (soFar) => {
      written = soFar;
    }),
  );
  if (file === undefined) {
    await pipeline(text, process.stdout, { end: false });
    return { ...written, file: null };
  }
  const part = `${file}.part`;
  try {
    if (file.endsWith(".gz")) await pipeline(text, createGzip(), createWriteStream(part));
    else await pipeline(text, createWriteStream(part));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { ...written, file };
}
