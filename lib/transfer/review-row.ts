import type { RowError } from "@/lib/platform/parsing/raw-row";
import { type ReviewColumns, reviewColumnTypes } from "@/lib/reviews/reviews/review-row";
import type { TransferredResponse } from "@/lib/transfer/schema";

// What every kind of file is read into, and the stage of an import holds.

const { email_key: _, ...given } = reviewColumnTypes;

/** What a file may say of a review, by column of `reviews`, with its type. The order is that of the bits in `said`. */
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
/** The bit of `said` that tells whether a row says something of this column. */
export const bit = (name: Column): number => bits.get(name)!;

/** A picture as a file names it; `url` is where another service shows it, and the token is then made of that. */
export type NamedImage = { token: string; url: string | null };
/** A reply, complete. Those of another service have an id made of the review's, so that they are found again. */
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

/** What a row says: an absent key is not said, null is said to be nothing. */
export type GivenValues = { [C in Column]?: Values[C] | null };

/** A review of a file, ready to be compared with what is stored. */
export type ReviewRow = {
  row: number;
  /** of our own files */
  id: string | null;
  given: GivenValues;
  /** the language its text is in, for a new review of which the file does not say one */
  detected: string | null;
  /** the other reading of a date that has two; `said.date` then holds day before month */
  otherDate: string | null;
  /** where `said` names no product: the names another service gave it, best first */
  candidates: string[] | null;
};

/** Another row's reply, which that service keeps as a row of its own. */
export type ReplyRow = { row: number; parent: string; reply: NamedResponse };

export type ReadRow = ReviewRow | ReplyRow | { row: number; reason: RowError | Rejection };

/** Why a row that can be read is not taken. Never its words: reports are kept. */
export type Rejection =
  | "doubled"
  | "ids_conflict"
  | "id_missing"
  | "product_missing"
  | "score_missing"
  | "parent_missing"
  | "not_published"
  | "seller_review"
  | "date_in_future"
  | `${string}_invalid`;
