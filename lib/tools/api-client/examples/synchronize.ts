import { readFile, rename, writeFile } from "node:fs/promises";
import { type CandorClient, createCandorClient, everyRow, type Filter, type Review } from "../client.ts";

// Keeps a copy of a client's reviews in a file. Run it daily, with Node 24 or newer:
//
//   CANDOR_URL=https://reviews.shop.example CANDOR_KEY=sk_… node synchronize.ts reviews.json

export type Copy = {
  /** by id */
  reviews: Record<string, Review>;
  /** the latest `updated_at` that was seen: where the next fetch goes on */
  seen: string | null;
  /** when the last full fetch began, by our own clock */
  full: string | null;
};

export const emptyCopy: Copy = { reviews: {}, seen: null, full: null };
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * The copy as it is now: what was changed since the last fetch is replaced or added. Once a week everything is fetched
 * anew, and what the service no longer has is left out. A fetch that fails leaves the old copy as it was.
 */
export async function synchronize(
  client: CandorClient,
  copy: Copy,
  filter: Filter<"/v1/reviews"> = {},
  now = new Date(),
): Promise<Copy> {
  const isFull = copy.seen === null || copy.full === null || now.getTime() - Date.parse(copy.full) >= WEEK_MS;
  const reviews: Copy["reviews"] = isFull ? {} : { ...copy.reviews };
  let seen = isFull ? null : copy.seen;
  for await (const review of everyRow(
    client,
    "/v1/reviews",
    isFull ? filter : { ...filter, updated_after: seen ?? "" },
  )) {
    reviews[review.id] = review;
    if (seen === null || review.updated_at > seen) seen = review.updated_at;
  }
  return { reviews, seen, full: isFull ? now.toISOString() : copy.full };
}

async function load(file: string): Promise<Copy> {
  const text = await readFile(file, "utf8").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? emptyCopy : JSON.parse(text);
}

/** All or nothing: whoever reads the file meanwhile has the old copy or the new one. */
async function save(file: string, copy: Copy): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(copy));
  await rename(`${file}.new`, file);
}

if (import.meta.main) {
  const { CANDOR_URL: origin, CANDOR_KEY: key, CANDOR_CLIENT: client_id } = process.env;
  const [, , file] = process.argv;
  if (!origin || !key || !file) throw new Error("Set CANDOR_URL and CANDOR_KEY, and name the file of the copy.");
  const copy = await synchronize(createCandorClient({ origin, key }), await load(file), { client_id });
  await save(file, copy);
  console.log(`${Object.keys(copy.reviews).length} reviews, as of ${copy.seen ?? "now"}`);
}
