// Google's product-review schema 2.4, as a table: which elements are allowed where, in which order, how often, and with
// what content. Browser-safe.

type TextRule = "none" | "filled" | "version" | "boolean" | "moment" | "address" | "number" | "collection_method";

export type ElementRule = {
  text: TextRule;
  /** in this order unless `anyOrder`, each from `min` to `max` times */
  children?: readonly { name: string; min: 0 | 1; max: number }[];
  anyOrder?: true;
  attributes?: Readonly<Record<string, { required: boolean; values: readonly string[] | "number" }>>;
};

const one = (name: string) => ({ name, min: 1, max: 1 }) as const;
const optional = (name: string) => ({ name, min: 0, max: 1 }) as const;
const many = (name: string) => ({ name, min: 1, max: Number.POSITIVE_INFINITY }) as const;

const container = (...children: NonNullable<ElementRule["children"]>): ElementRule => ({ text: "none", children });
const filled: ElementRule = { text: "filled" };
const boolean: ElementRule = { text: "boolean" };
const address: ElementRule = { text: "address" };
const booleans = ["true", "false", "1", "0"] as const;

/** By the names of the element and its parent: `reviewer/name` and `publisher/name` have different rules. */
export const elements: Readonly<Record<string, ElementRule>> = {
  feed: container(one("version"), optional("aggregator"), one("publisher"), optional("reviews")),
  "feed/version": { text: "version" },
  "feed/aggregator": container(one("name")),
  "aggregator/name": filled,
  "feed/publisher": container(one("name"), optional("favicon")),
  "publisher/name": filled,
  "publisher/favicon": address,
  "feed/reviews": container(many("review")),
  "reviews/review": container(
    one("review_id"),
    one("reviewer"),
    optional("is_verified_purchase"),
    optional("is_incentivized_review"),
    one("review_timestamp"),
    optional("title"),
    one("content"),
    optional("review_language"),
    optional("review_country"),
    optional("pros"),
    optional("cons"),
    one("review_url"),
    optional("reviewer_images"),
    one("ratings"),
    one("products"),
    optional("is_spam"),
    optional("collection_method"),
    optional("transaction_id"),
  ),
  "review/review_id": filled,
  "review/reviewer": container(one("name"), optional("reviewer_id")),
  "reviewer/name": { text: "filled", attributes: { is_anonymous: { required: false, values: booleans } } },
  "reviewer/reviewer_id": filled,
  "review/is_verified_purchase": boolean,
  "review/is_incentivized_review": boolean,
  "review/review_timestamp": { text: "moment" },
  "review/title": filled,
  "review/content": filled,
  "review/review_language": filled,
  "review/review_country": filled,
  "review/pros": container(many("pro")),
  "pros/pro": filled,
  "review/cons": container(many("con")),
  "cons/con": filled,
  "review/review_url": {
    text: "address",
    attributes: { type: { required: true, values: ["singleton", "group"] } },
  },
  "review/reviewer_images": container(many("reviewer_image")),
  "reviewer_images/reviewer_image": container(one("url")),
  "reviewer_image/url": address,
  "review/ratings": container(one("overall")),
  "ratings/overall": {
    text: "number",
    attributes: { min: { required: true, values: "number" }, max: { required: true, values: "number" } },
  },
  "review/products": container(many("product")),
  "products/product": container(optional("product_ids"), optional("product_name"), one("product_url")),
  "product/product_ids": {
    text: "none",
    anyOrder: true,
    children: [optional("gtins"), optional("mpns"), optional("skus"), optional("brands"), optional("asins")],
  },
  "product_ids/gtins": container(many("gtin")),
  "gtins/gtin": filled,
  "product_ids/mpns": container(many("mpn")),
  "mpns/mpn": filled,
  "product_ids/skus": container(many("sku")),
  "skus/sku": filled,
  "product_ids/brands": container(many("brand")),
  "brands/brand": filled,
  "product_ids/asins": container(many("asin")),
  "asins/asin": filled,
  "product/product_name": filled,
  "product/product_url": address,
  "review/is_spam": boolean,
  "review/collection_method": { text: "collection_method" },
  "review/transaction_id": filled,
};

/** What is wrong with an element's text, as the end of a sentence; null if it's valid. */
export function textIssue(rule: TextRule, text: string): string | null {
  const value = text.trim();
  switch (rule) {
    case "none":
      return value === "" ? null : "contains text, but only elements are allowed there";
    case "filled":
      return value === "" ? "is empty" : null;
    case "version":
      return value === "2.4" ? null : `is ${quote(value)}; Google only accepts version 2.4`;
    case "boolean":
      return (booleans as readonly string[]).includes(value) ? null : `is ${quote(value)}, not true or false`;
    case "moment":
      return isMoment(value) ? null : `is ${quote(value)}, not a time such as 2026-05-04T09:30:12Z`;
    case "number":
      return isNumber(value) ? null : `is ${quote(value)}, not a number`;
    case "address":
      return isAddress(value) ? null : `is ${quote(value)}, not a full URL`;
    case "collection_method":
      return ["unsolicited", "post_fulfillment"].includes(value)
        ? null
        : `is ${quote(value)}, not unsolicited or post_fulfillment`;
  }
}

/** What is wrong with an attribute, as the end of a sentence; null if it's valid. */
export function attributeIssue(rule: ElementRule, name: string, value: string | undefined): string | null {
  const known = rule.attributes?.[name];
  if (!known) return `has the attribute ${quote(name)}, which isn’t in the schema`;
  if (value === undefined) return known.required ? `is missing the attribute ${name}` : null;
  const isValid = known.values === "number" ? isNumber(value) : known.values.includes(value);
  return isValid ? null : `has ${name}=${quote(value)}`;
}

export const isNumber = (value: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(value);

function isMoment(value: string): boolean {
  const shape = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/.exec(
    value,
  );
  if (!shape) return false;
  const [, year, month, day] = shape;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
}

const isAddress = (value: string): boolean =>
  !/\s/.test(value) && URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol);

const quote = (value: string): string => (value.length > 60 ? `“${value.slice(0, 60)}…”` : `“${value}”`);
