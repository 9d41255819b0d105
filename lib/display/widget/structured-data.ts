import type { StructuredData } from "@/lib/display/widget/schema";
import type { Review, Summary } from "@/lib/display/widget/types";

/** The product as the catalogue knows it; null where it does not. */
export type CatalogProduct = {
  id: string;
  name: string;
  url: string | null;
  image_url: string | null;
  brand: string | null;
  mpn: string | null;
  gtin14s: string[];
} | null;

type Data = Record<string, unknown>;

/** schema.org's Product with its rating and reviews; null where nobody has reviewed it, since then there is nothing to say. */
export function structuredData(
  product: CatalogProduct,
  given: { id: string; name: string | null },
  summary: Pick<Summary, "your_review_count" | "your_avg_score">,
  reviews: readonly Pick<Review, "author" | "date" | "score" | "extract" | "properties" | "lang">[],
): StructuredData | null {
  if (summary.your_review_count === 0 || summary.your_avg_score === null) return null;
  const [gtin] = product?.gtin14s ?? [];
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product?.name ?? given.name ?? given.id,
    ...withoutEmpty({
      // One product described in several places of a page is still one.
      "@id": product?.url,
      sku: product?.id ?? given.id,
      url: product?.url,
      image: product?.image_url,
      brand: product?.brand ? { "@type": "Brand", name: product.brand } : null,
      mpn: product?.mpn,
      gtin14: gtin,
      aggregateRating: {
        "@type": "AggregateRating",
        ratingValue: summary.your_avg_score,
        reviewCount: summary.your_review_count,
        bestRating: 5,
        worstRating: 1,
      },
      review: reviews.map(({ author, date, score, extract, properties, lang }) =>
        withoutEmpty({
          "@type": "Review",
          // A rating without a name is no review to search engines; who gave none stays unnamed.
          author: { "@type": "Person", name: author ?? "–" },
          datePublished: date,
          name: typeof properties.title === "string" ? properties.title : null,
          reviewBody: extract,
          inLanguage: lang,
          reviewRating: { "@type": "Rating", ratingValue: score, bestRating: 5, worstRating: 1 },
        }),
      ),
    }),
  };
}

/** Without what is unknown or empty. */
const withoutEmpty = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined && value !== ""));

/** As it stands in a page: no text in it can end the element that holds it. */
export const toScriptJson = (data: Data): string => JSON.stringify(data).replace(/</g, "\\u003c");
