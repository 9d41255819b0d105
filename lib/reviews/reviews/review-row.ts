import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

// A review as stored. All other forms (new reviews, authors' edits, files) derive from these types.

/** The columns of a review that an input or a file sets, directly or from the catalog and the order. */
export type ReviewColumns = {
  external_id: string | null;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  category: string | null;
  author: string | null;
  author_email: string | null;
  email_key: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  answers: CustomAnswers;
  /** Null: to be detected. */
  lang: string | null;
  date: string;
  order_id: string | null;
  customer_id: string | null;
  verified_buyer: boolean;
  verified_email: boolean;
  /** The author was offered something for the review. */
  incentivized: boolean;
};

export type StoredReview = ReviewColumns & {
  id: string;
  images: StoredImage[];
  accepted: boolean | null;
  reject_reason: string | null;
};

/** Their PostgreSQL types, for reading them from JSON. */
export const reviewColumnTypes = {
  external_id: "text",
  product_id: "text",
  family_id: "text",
  product_name: "text",
  product_url: "text",
  category: "text",
  author: "text",
  author_email: "text",
  email_key: "text",
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
  incentivized: "boolean",
} as const satisfies Record<keyof ReviewColumns, string>;

/** The columns as a PostgreSQL record definition: `id text, score smallint`. */
export const typedColumns = (types: Record<string, string>): string =>
  Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
