import type { StructuredData } from "@/lib/display/widget/schema";
import type { Review, Summary } from "@/lib/display/widget/types";

/** The product in the catalog; null if it isn't there. */
type CatalogProduct = {
  id: string;
  name: string;
  url: string | null;
  image_url: string | null;
  brand: string | null;
  mpn: string | null;
  gtin14s: string[];
} | null;

type Data = Record<string, unknown>;

/** schema.org's Product with its rating and reviews; null without reviews, since then there is nothing to publish. */
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
      // The same id makes several descriptions in a page one product.
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
          // Search engines ignore a rating without an author; those without a name stay anonymous.
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

/** Omits unknown and empty values. */
const withoutEmpty = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined && value !== ""));

/** JSON for a script element: no text in it can end the element. */
export const toScriptJson = (data: Data): string => JSON.stringify(data).replace(/</g, "\\u003c");
