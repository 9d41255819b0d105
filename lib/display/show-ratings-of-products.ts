import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { externalTotals } from "@/lib/catalog/summaries/external-totals";
import { type External, statistics } from "@/lib/catalog/summaries/rules";
import type { DisplayRatings, RatingsQuery } from "@/lib/display/schema";
import { displayReply, type ShowOptions, unknownClient } from "@/lib/display/show";
import { type Db, pool, snapshot } from "@/lib/platform/db/pool";
import { etagOf } from "@/lib/platform/http/etag";
import type { Reply } from "@/lib/platform/http/reply";
import { type RatingRow, selectRatings } from "./sql";

/**
 * The ratings of many products and families, in the requested order. Read in one statement without a version look-up:
 * the versions would cost as much as the counters. Throws `not_found` for an unknown client.
 */
export async function showRatings(
  clientId: string,
  { key, url_key }: RatingsQuery,
  options: ShowOptions,
): Promise<Reply<DisplayRatings>> {
  const ratings = await loadRatings(clientId, key, url_key);
  const bytes = new TextEncoder().encode(JSON.stringify({ ratings } satisfies DisplayRatings));
  return displayReply(bytes, etagOf(bytes), options);
}

/** The response's value, from the database. */
export async function loadRatings(
  clientId: string,
  keys: string[],
  urlKeys: string[],
): Promise<DisplayRatings["ratings"]> {
  const rows = await selectRatings(pool(), clientId, keys, urlKeys);
  if (!rows) throw unknownClient();
  if (!rows[0]?.external) return rows.map((row) => toRating(row));
  // Few clients have external totals: those are read in the same snapshot.
  return snapshot(async (db) => {
    const client = await readClient(db, clientId);
    if (!client) throw unknownClient();
    const all = (await selectRatings(db, clientId, keys, urlKeys)) ?? [];
    const external = await externalOf(db, client, all);
    return all.map((row) =>
      toRating(row, external[row.family_subject === null ? "product" : "family"].get(subjectOf(row))),
    );
  });
}

const subjectOf = ({ key, family_subject }: RatingRow): string => family_subject ?? key ?? "";

async function externalOf(db: Db, client: ClientRow, rows: RatingRow[]) {
  const ids = (of: RatingRow[]) => [...new Set(of.map(subjectOf))];
  const families = rows.filter(({ family_subject }) => family_subject !== null);
  const products = rows.filter(({ family_subject }) => family_subject === null);
  return {
    product: await externalTotals(db, client, ids(products), "product"),
    family: await externalTotals(db, client, ids(families), "family"),
  };
}

function toRating({ key, url_key, count, sum, c1, c2, c3, c4, c5 }: RatingRow, external?: External) {
  const figures = statistics({ count, sum, dist: [c1, c2, c3, c4, c5] }, external);
  return {
    key,
    url_key,
    score: figures.score,
    your_review_count: figures.your_review_count,
    your_avg_score: figures.your_avg_score,
    your_score_dist: figures.your_score_dist,
    pro_review_count: figures.pro_review_count,
    user_review_count: figures.user_review_count,
  };
}
