/** Columns of `reviews` that an input or a file sets, with their types as PostgreSQL reads them from JSON. */
export const reviewColumnTypes = {
  external_id: "text",
  product_id: "text",
  family_id: "text",
  product_name: "text",
  product_url: "text",
  category: "text",
  author: "text",
  author_email: "text",
  score: "smallint",
  title: "text",
  extract: "text",
  pros: "text[]",
  cons: "text[]",
  recommended: "boolean",
  answers: "jsonb",
  lang: "text",
  date: "date",
  order_id: "text",
  customer_id: "text",
  verified_buyer: "boolean",
  verified_email: "boolean",
} as const;

/** The columns of a record in PostgreSQL's words: `id text, score smallint`. */
export const typedColumns = (types: Record<string, string>): string =>
  Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
