import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { head, reviewXml, type SkipReason, tail } from "@/lib/display/google-feed/feed-xml";
import type { FeedReview, ReviewedProduct } from "@/lib/display/google-feed/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { type FeedReviewRow, selectAccepted, selectVariants, type VariantRow } from "./sql";

/** Progress so far. `skipped`: accepted reviews that the feed's schema doesn't allow. */
export type FeedProgress = { reviews: number; skipped: Record<SkipReason, number> };

/**
 * All accepted reviews of a client, of every score, as Google's product-review feed, in chunks: holds one page of rows
 * at a time. Contains no personal data except the author's published name: no address, no order, and nothing that links
 * several reviews to one person.
 */
export async function* writeReviewFeed(
  client: Pick<ClientRow, "id" | "display_name" | "expand_family">,
  onPage: (written: FeedProgress) => void = () => {},
): AsyncGenerator<string> {
  const written: FeedProgress = { reviews: 0, skipped: { no_text: 0, no_address: 0 } };
  yield head(client.display_name.trim() || client.id);
  for await (const rows of selectAccepted(client.id)) {
    const families = client.expand_family ? await variantsOf(client.id, rows) : new Map<string, VariantRow[]>();
    let text = "";
    for (const row of rows) {
      const result = reviewXml(toFeedReview(row, families.get(row.family_id ?? "") ?? []));
      if ("skipReason" in result) {
        written.skipped[result.skipReason] += 1;
        continue;
      }
      // The schema allows no empty list of reviews.
      text += written.reviews === 0 ? `<reviews>\n${result.xml}` : result.xml;
      written.reviews += 1;
    }
    onPage(written);
    if (text !== "") yield text;
  }
  yield written.reviews === 0 ? tail : `</reviews>\n${tail}`;
}

async function variantsOf(clientId: string, rows: FeedReviewRow[]): Promise<Map<string, VariantRow[]>> {
  const familyIds = [...new Set(rows.flatMap(({ family_id }) => family_id ?? []))];
  return Map.groupBy(await selectVariants(clientId, familyIds), ({ family_id }) => family_id);
}

const toFeedReview = (row: FeedReviewRow, variants: VariantRow[]): FeedReview => ({
  ...row,
  invited: row.source === "invitation",
  pictures: imageObjects(row.images, { signed: false }).map(({ large }) => large),
  product: toProduct(row, variants),
});

/**
 * The reviewed product first, then the variants that share its reviews. The catalog's values take precedence over the
 * review's.
 */
function toProduct(row: FeedReviewRow, variants: VariantRow[]): ReviewedProduct {
  const { product_id, name, url, brand, mpn, gtin14s } = row;
  const own = { id: product_id, brand, mpn, gtin14s: gtin14s ?? [] };
  const all = [own, ...variants.filter(({ id }) => id !== product_id)];
  const each = (value: (of: (typeof all)[number]) => string | null) => all.flatMap((of) => value(of) ?? []);
  return {
    name: name ?? row.product_name ?? variants[0]?.name ?? null,
    url: url ?? row.product_url ?? variants.find((variant) => variant.url !== null)?.url ?? null,
    gtins: all.flatMap((of) => of.gtin14s),
    mpns: each((of) => of.mpn),
    skus: each((of) => of.id),
    brands: each((of) => of.brand),
  };
}
