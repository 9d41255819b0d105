import { readFile, rename, writeFile } from "node:fs/promises";
import { type CandorClient, createCandorClient, type Filter, iterateRows, type Review } from "../client.ts";

// Keeps a copy of a client's reviews in a file. Run it daily, with Node 24 or newer:
//
//   CANDOR_URL=https://reviews.shop.example CANDOR_KEY=sk_… node synchronize.ts reviews.json

export type ReviewCopy = {
  /** by id */
  reviews: Record<string, Review>;
  /** the latest `updated_at` seen: the next fetch starts here */
  latestChange: string | null;
  /** when the last full fetch began, by the local clock */
  lastFullFetch: string | null;
};

export const emptyCopy: ReviewCopy = { reviews: {}, latestChange: null, lastFullFetch: null };
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Returns the current copy: rows changed since the last fetch are replaced or added. Once a week everything is fetched,
 * and rows that no longer exist are removed. A failed fetch leaves the old copy unchanged.
 */
export async function synchronize(
  client: CandorClient,
  copy: ReviewCopy,
  filter: Filter<"/v1/reviews"> = {},
  now = new Date(),
): Promise<ReviewCopy> {
  const isFull =
    copy.latestChange === null ||
    copy.lastFullFetch === null ||
    now.getTime() - Date.parse(copy.lastFullFetch) >= WEEK_MS;
  const reviews: ReviewCopy["reviews"] = isFull ? {} : { ...copy.reviews };
  let latestChange = isFull ? null : copy.latestChange;
  for await (const review of iterateRows(
    client,
    "/v1/reviews",
    isFull ? filter : { ...filter, updated_after: latestChange ?? "" },
  )) {
    reviews[review.id] = review;
    if (latestChange === null || review.updated_at > latestChange) latestChange = review.updated_at;
  }
  return { reviews, latestChange, lastFullFetch: isFull ? now.toISOString() : copy.lastFullFetch };
}

async function load(file: string): Promise<ReviewCopy> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? emptyCopy : { ...emptyCopy, ...JSON.parse(text) };
}

/** Replaces the file atomically: a concurrent reader sees the old copy or the new one. */
async function save(file: string, copy: ReviewCopy): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(copy));
  await rename(`${file}.new`, file);
}

if (import.meta.main) {
  const { CANDOR_URL: origin, CANDOR_KEY: key, CANDOR_CLIENT: client_id } = process.env;
  const [, , file] = process.argv;
  if (!origin || !key || !file) throw new Error("Set CANDOR_URL and CANDOR_KEY, and name the file of the copy.");
  const copy = await synchronize(createCandorClient({ origin, key }), await load(file), { client_id });
  await save(file, copy);
  console.log(`${Object.keys(copy.reviews).length} reviews, as of ${copy.latestChange ?? "now"}`);
}
