import type { RowError } from "@/lib/platform/parsing/raw-row";
import { type ReviewColumns, reviewColumnTypes } from "@/lib/reviews/reviews/review-row";
import type { TransferredResponse } from "@/lib/transfer/schema";

// The common form that all files are read into, as stored in an import's stage.

const { email_key: _, ...given } = reviewColumnTypes;

/** Columns of `reviews` that a file may set, with their types. Their order is that of the bits in `said`. */
export const columns = {
  ...given,
  terms_agreed_at: "timestamptz",
  terms_version: "text",
  votes_up: "integer",
  votes_down: "integer",
  accepted: "boolean",
  accepted_at: "timestamptz",
  reject_reason: "text",
  responses: "jsonb",
  images: "jsonb",
} as const;
export type Column = keyof typeof columns;
export const columnNames = Object.keys(columns) as Column[];

const bits = new Map(columnNames.map((name, place) => [name, 1 << place]));
/** The bit of `said` for this column, set if the row gives it a value. */
export const columnBit = (name: Column): number => bits.get(name)!;

/** An image named in a file. `url`: its address at another service, from which the token is then derived. */
export type NamedImage = { token: string; url: string | null };
/** A complete reply. Those of other services have an id derived from the review's, so that later imports find them. */
export type NamedResponse = Required<Omit<TransferredResponse, "lang">> & { id: string | null; lang: string | null };

type Values = Omit<ReviewColumns, "answers"> & {
  answers: Record<string, unknown>;
  terms_agreed_at: string;
  terms_version: string;
  votes_up: number;
  votes_down: number;
  accepted: boolean;
  accepted_at: string;
  reject_reason: string;
  responses: NamedResponse[];
  images: NamedImage[];
};

/** Values of a row: absent means unchanged, null means cleared. */
export type RowValues = { [C in Column]?: Values[C] | null };

/** A review in a file, ready to be compared with the stored one. */
export type ReviewRow = {
  row: number;
  /** Only in our own files. */
  id: string | null;
  values: RowValues;
  /** Detected language of the text, for a new review without one in the file. */
  detected: string | null;
  /** The other reading of an ambiguous date; `given.date` is then the day-first one. */
  otherDate: string | null;
  /** If `given` has no product: another service's names for it, best first. */
  candidates: string[] | null;
};

/** A reply that another service has as a separate row. */
export type ReplyRow = { row: number; parent: string; reply: NamedResponse };

/** A seller review or question of our own file. */
export type ItemRow = {
  row: number;
  id: string;
  images: NamedImage[];
  item: {
    author?: string | null;
    author_email?: string | null;
    customer_id?: string | null;
    score?: number;
    title?: string | null;
    extract?: string | null;
    question?: string;
    details?: string | null;
    lang?: string | null;
    date?: string | null;
    product_id?: string | null;
    family_id?: string | null;
    product_name?: string | null;
    accepted?: boolean | null;
    responses: object[];
    answers: object[];
  };
};

export type ReadRow = ReviewRow | ReplyRow | ItemRow | { row: number; reason: RowError | Rejection };

/** Why a readable row is rejected. Never contains its text, since reports are stored. */
export type Rejection =
  | "doubled"
  | "ids_conflict"
  | "id_missing"
  | "product_missing"
  | "score_missing"
  | "question_missing"
  | "parent_missing"
  | "not_published"
  | "seller_review"
  | "product_review"
  | "date_in_future"
  | `${string}_invalid`;
