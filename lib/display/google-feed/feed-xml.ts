import type { FeedReview, ReviewedProduct } from "@/lib/display/google-feed/schema";

// Writes the feed as XML: Google's product reviews, schema 2.4. Elements are in the schema's order.

/** Everything before the first review. `name` is the store's. */
export const head = (name: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:vc="http://www.w3.org/2007/XMLSchema-versioning" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://www.google.com/shopping/reviews/schema/product/2.4/product_reviews.xsd">
<version>2.4</version>
<publisher>${element("name", name)}</publisher>
`;
export const tail = "</feed>\n";

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot say these at all, or advises against it
const FORBIDDEN_CHARACTERS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;
const REFERENCES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Text for an element or attribute: without characters that XML doesn't allow, with uniform line breaks and escaped
 * markup.
 */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(FORBIDDEN_CHARACTERS, "")
    .trim()
    .replace(/[&<>"]/g, (found) => REFERENCES[found] as string);

/** An element with text, or nothing if the text is empty: the schema allows no empty ones. */
function element(name: string, text: string | null, attributes = ""): string {
  const content = text === null ? "" : escaped(text);
  return content === "" ? "" : `<${name}${attributes}>${content}</${name}>`;
}

const listElement = (name: string, one: string, texts: readonly string[]): string => {
  const content = [...new Set(texts.map((text) => element(one, text)))].join("");
  return content === "" ? "" : `<${name}>${content}</${name}>`;
};

/** Why a review can't be in the feed: the schema requires a text, and a page of the product. */
export type SkipReason = "no_text" | "no_address";

/** A review as XML, or why it's skipped. */
export function reviewXml(review: FeedReview): { xml: string } | { skipReason: SkipReason } {
  const { id, score, title, pros, cons, product } = review;
  // A review without text can still have a title or a few points.
  const content = [review.extract, title ?? "", [...pros, ...cons].join("\n")].find((text) => escaped(text) !== "");
  if (content === undefined) return { skipReason: "no_text" };
  const page = pageOf(product.url);
  if (page === null) return { skipReason: "no_address" };
  const pictures = review.pictures.map((url) => `<reviewer_image>${element("url", url)}</reviewer_image>`).join("");
  return {
    xml: [
      `<review>${element("review_id", id)}`,
      `<reviewer>${element("name", review.author) || '<name is_anonymous="true">Anonymous</name>'}</reviewer>`,
      `<is_verified_purchase>${review.verified_buyer}</is_verified_purchase>`,
      `<is_incentivized_review>${review.incentivized}</is_incentivized_review>`,
      `<review_timestamp>${momentOf(review)}</review_timestamp>`,
      element("title", title),
      element("content", content),
      element("review_language", review.lang),
      listElement("pros", "pro", pros),
      listElement("cons", "con", cons),
      element("review_url", page, ' type="group"'),
      pictures && `<reviewer_images>${pictures}</reviewer_images>`,
      `<ratings><overall min="1" max="5">${score}</overall></ratings>`,
      `<products>${productXml(product, page)}</products>`,
      `<collection_method>${review.invited ? "post_fulfillment" : "unsolicited"}</collection_method></review>\n`,
    ].join(""),
  };
}

function productXml({ name, gtins, mpns, skus, brands }: ReviewedProduct, page: string): string {
  const ids = [
    listElement("gtins", "gtin", gtins.map(shortGtin)),
    listElement("mpns", "mpn", mpns),
    listElement("skus", "sku", skus),
    listElement("brands", "brand", brands),
  ].join("");
  return [
    "<product>",
    ids && `<product_ids>${ids}</product_ids>`,
    element("product_name", name),
    element("product_url", page),
    "</product>",
  ].join("");
}

/** A GTIN as printed on the product: GTIN-14 without leading zeros, down to an EAN-13, UPC or EAN-8. */
export function shortGtin(gtin14: string): string {
  const digits = gtin14.replace(/^0+/, "");
  const length = [8, 12, 13].find((size) => digits.length <= size) ?? 14;
  return digits.padStart(length, "0");
}

/** A URL that a visitor can open, in full form; null if there is none. */
function pageOf(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
}

/** When it was written: the time it was received, unless its date is another day because it was imported. */
function momentOf({ date, created_at }: FeedReview): string {
  const received = created_at.toISOString();
  return Math.abs(Date.parse(`${date}T12:00:00Z`) - created_at.getTime()) < 36 * 3_600_000
    ? `${received.slice(0, 19)}Z`
    : `${date}T12:00:00Z`;
}
