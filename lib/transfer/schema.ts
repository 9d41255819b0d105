import { z } from "zod";
import { day, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { imageEndings } from "@/lib/reviews/uploads/schema";

/** A review as a file of our own carries it: one line of JSON, or one row of CSV with the same names as columns. */

/** Text that the database can keep: it knows no NUL and no half of a surrogate pair, which JSON may hold. */
const stored = (most: number) =>
  text(most).refine((value) => !value.includes("\0") && value.isWellFormed(), { error: encodeReason("holds_no_text") });
const id = stored(255).min(1);
const entries = z.array(stored(2_000)).max(100);
const moment = z.iso.datetime({ offset: true });
const count = z.int().min(0).max(1_000_000_000);

/** The seller's reply. Without times it gets those of its day. */
export const TransferredResponse = z.object({
  author: stored(2_000),
  date: day,
  extract: stored(60_000),
  lang: stored(35).nullish(),
  created_at: moment.optional(),
  updated_at: moment.optional(),
});
export type TransferredResponse = z.output<typeof TransferredResponse>;

/** A photo: its name, and the format and size of the stored original, which lies beside the file under that name. */
export const TransferredImage = z.object({
  token: z.string().regex(/^[0-9a-f]{32}$/),
  format: z.enum(Object.keys(imageEndings) as [keyof typeof imageEndings]).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
});
export type TransferredImage = z.output<typeof TransferredImage>;

/** A key that is left out says nothing: a new review gets its default, a known one keeps what it has. */
export const TransferredReview = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  external_id: id.nullable(),
  product_id: id.nullable(),
  family_id: id.nullable(),
  product_name: stored(2_000).nullable(),
  product_url: stored(2_000).nullable(),
  category: stored(2_000).nullable(),
  author: stored(255).nullable(),
  author_email: stored(320).nullable(),
  score: z.int().min(1).max(5),
  title: stored(255).nullable(),
  extract: stored(60_000).nullable(),
  pros: entries.nullable(),
  cons: entries.nullable(),
  recommended: z.boolean().nullable(),
  /** answers to custom questions, by question name */
  custom_questions: z
    .record(stored(255), z.union([z.number(), stored(2_000), z.array(stored(255)).max(100)]))
    .nullable(),
  lang: stored(35).nullable(),
  date: day.nullable(),
  order_id: id.nullable(),
  customer_id: id.nullable(),
  verified_buyer: z.boolean().nullable(),
  verified_email: z.boolean().nullable(),
  terms_agreed_at: moment.nullable(),
  terms_version: stored(64).nullable(),
  votes_up: count.nullable(),
  votes_down: count.nullable(),
  /** true accepted, false rejected, null pending */
  accepted: z.boolean().nullable(),
  accepted_at: moment.nullable(),
  reject_reason: z.enum(rejectReasons).nullable(),
  responses: z.array(TransferredResponse).max(100).nullable(),
  images: z.array(TransferredImage).max(100).nullable(),
});
export type TransferredReview = z.output<typeof TransferredReview>;

/** The columns of a file of our own, in their order. */
export const reviewFields = Object.keys(TransferredReview.shape) as (keyof TransferredReview)[];

/** What a row of a file may be: everything optional, since keys that are left out say nothing. */
export const TransferredRow = TransferredReview.partial();
export type TransferredRow = z.output<typeof TransferredRow>;

/** What is written out; only reviews are read in, the others are collected by their own forms. */
export const exportKinds = ["reviews", "seller_reviews", "questions"] as const;
export type ExportKind = (typeof exportKinds)[number];

/** The files that reviews come in: our own, and what other services export. */
export const reviewFormats = [
  "jsonl",
  "csv",
  "judgeme",
  "opinew",
  "yotpo",
  "loox",
  "okendo",
  "shopify",
  "powerreviews",
  "feefo",
  "woocommerce",
] as const;
export type ReviewFormat = (typeof reviewFormats)[number];
