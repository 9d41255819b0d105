import type { FeedReview } from "@/lib/display/google-feed/schema";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** Rows per page, which becomes one chunk of the feed. */
const PAGE_SIZE = 500;
/** Most variants whose identifiers a review lists. */
const MAX_VARIANTS = 100;

/**
 * A version of a client's whole feed: it changes with every change of an accepted review, of the catalog and of the
 * client. Counters of summaries only rise, and rows of products are never deleted.
 */
export async function selectFeedVersion(clientId: string, db: Db = pool()): Promise<string | null> {
  const { rows } = await db.query<{ version: string }>({
    name: "review-feed-version",
    text: `
      select concat_ws('.', c.version, r.families, r.products, p.count, extract(epoch from p.changed)) as version
        from clients c
       cross join lateral (
         select (select coalesce(sum(version), 0) from family_summaries where client_id = c.id) as families,
                (select coalesce(sum(version), 0) from product_summaries where client_id = c.id) as products) r
       cross join lateral (select count(*), max(updated_at) as changed from products where client_id = c.id) p
       where c.id = $1`,
    values: [clientId],
  });
  return rows[0]?.version ?? null;
}

export type FeedReviewRow = Omit<FeedReview, "invited" | "pictures" | "product"> & {
  source: string;
  images: StoredImage[];
  family_id: string | null;
  product_id: string | null;
  product_name: string | null;
  product_url: string | null;
  name: string | null;
  url: string | null;
  brand: string | null;
  mpn: string | null;
  gtin14s: string[] | null;
};

/** A client's accepted reviews by id, page by page. No transaction stays open between pages: readers may be slow. */
export async function* selectAccepted(clientId: string): AsyncGenerator<FeedReviewRow[]> {
  for (let after = ""; ; ) {
    const { rows } = await pool().query<FeedReviewRow>({
      name: "review-feed-page",
      text: `
        select r.id, r.author, r.score, r.title, r.extract, r.pros, r.cons, r.lang, r.date, r.created_at, r.verified_buyer,
               r.incentivized, r.source, r.images, r.family_id, r.product_id, r.product_name, r.product_url,
               p.name, p.url, p.brand, p.mpn, p.gtin14s
          from reviews r left join products p on p.client_id = r.client_id and p.id = r.product_id
         where r.client_id = $1 and r.id > $2 and r.accepted order by r.id limit ${PAGE_SIZE}`,
      values: [clientId, after],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_SIZE) return;
    after = rows.at(-1)!.id;
  }
}

export type VariantRow = {
  family_id: string;
  id: string;
  name: string;
  url: string | null;
  brand: string | null;
  mpn: string | null;
  gtin14s: string[];
};

/** The first active products of each of these families. */
export async function selectVariants(clientId: string, familyIds: string[]): Promise<VariantRow[]> {
  const { rows } = await pool().query<VariantRow>({
    name: "review-feed-variants",
    text: `
      select v.* from unnest($2::text[]) as f(id) cross join lateral (
        select family_id, id, name, url, brand, mpn, gtin14s from products
         where client_id = $1 and family_id = f.id and not deleted order by id limit ${MAX_VARIANTS}) v`,
    values: [clientId, familyIds],
  });
  return rows;
}
