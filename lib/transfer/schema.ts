import { z } from "zod";
import { day, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { imageEndings } from "@/lib/reviews/uploads/schema";

/** A review in our own files: one line of JSON, or one row of CSV with the same names as columns. */

/** Storable text: JSON may contain NUL and lone surrogates, which the database rejects. */
const stored = (maxLength: number) =>
  text(maxLength).refine((value) => !value.includes("\0") && value.isWellFormed(), {
    error: encodeReason("holds_no_text"),
  });
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

/** A photo: its name, and the format and size of the stored original, which is beside the file under that name. */
export const TransferredImage = z.object({
  token: z.string().regex(/^[0-9a-f]{32}$/),
  format: z.enum(Object.keys(imageEndings) as [keyof typeof imageEndings]).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
});
export type TransferredImage = z.output<typeof TransferredImage>;

/** An absent key changes nothing: a new review gets its default, an existing one keeps its value. */
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
  /** Answers to custom questions, by question name. */
  custom_questions: z
    .record(stored(255), z.union([z.number(), stored(2_000), z.array(stored(255)).max(100)]))
    .nullable(),
  lang: stored(35).nullable(),
  date: day.nullable(),
  order_id: id.nullable(),
  customer_id: id.nullable(),
  verified_buyer: z.boolean().nullable(),
  verified_email: z.boolean().nullable(),
  incentivized: z.boolean().nullable(),
  terms_agreed_at: moment.nullable(),
  terms_version: stored(64).nullable(),
  votes_up: count.nullable(),
  votes_down: count.nullable(),
  /** True: accepted; false: rejected; null: pending. */
  accepted: z.boolean().nullable(),
  accepted_at: moment.nullable(),
  reject_reason: z.enum(rejectReasons).nullable(),
  responses: z.array(TransferredResponse).max(100).nullable(),
  images: z.array(TransferredImage).max(100).nullable(),
});
export type TransferredReview = z.output<typeof TransferredReview>;

/** The columns of our own files, in order. */
export const reviewFields = Object.keys(TransferredReview.shape) as (keyof TransferredReview)[];

/** A row of a file: every key is optional, since absent keys change nothing. */
export const TransferredRow = TransferredReview.partial();
export type TransferredRow = z.output<typeof TransferredRow>;

const { shape } = TransferredReview;

/** A seller review in our own files. */
export const TransferredSellerReview = z.object({
  id: shape.id,
  author: shape.author,
  author_email: shape.author_email,
  score: shape.score,
  title: shape.title,
  extract: shape.extract,
  custom_questions: shape.custom_questions,
  lang: shape.lang,
  date: shape.date,
  order_id: shape.order_id,
  customer_id: shape.customer_id,
  verified_buyer: shape.verified_buyer,
  verified_email: shape.verified_email,
  incentivized: shape.incentivized,
  terms_agreed_at: shape.terms_agreed_at,
  terms_version: shape.terms_version,
  votes_up: shape.votes_up,
  votes_down: shape.votes_down,
  accepted: shape.accepted,
  accepted_at: shape.accepted_at,
  reject_reason: shape.reject_reason,
  responses: shape.responses,
  images: shape.images,
});

/** An answer to a question. Without times it gets those of its day. */
export const TransferredAnswer = z.object({
  author: stored(2_000),
  from_seller: z.boolean().default(true),
  date: day,
  answer: stored(60_000),
  lang: stored(35).nullish(),
  accepted: z.boolean().nullable().default(true),
  reject_reason: z.enum(rejectReasons).nullish(),
  created_at: moment.optional(),
  updated_at: moment.optional(),
});

/** A question in our own files. */
export const TransferredQuestion = z.object({
  id: shape.id,
  product_id: shape.product_id,
  family_id: shape.family_id,
  product_name: shape.product_name,
  product_url: shape.product_url,
  author: shape.author,
  author_email: shape.author_email,
  question: stored(2_000).min(1),
  details: stored(60_000).nullable(),
  custom_questions: shape.custom_questions,
  lang: shape.lang,
  date: shape.date,
  customer_id: shape.customer_id,
  mail_answer: z.boolean().nullable(),
  verified_email: shape.verified_email,
  terms_agreed_at: shape.terms_agreed_at,
  terms_version: shape.terms_version,
  votes_up: shape.votes_up,
  votes_down: shape.votes_down,
  accepted: shape.accepted,
  accepted_at: shape.accepted_at,
  reject_reason: shape.reject_reason,
  answers: z.array(TransferredAnswer).max(1_000).nullable(),
  images: shape.images,
});

/** Kinds that can be exported and imported. */
export const exportKinds = ["reviews", "seller_reviews", "questions"] as const;
export type ExportKind = (typeof exportKinds)[number];

/** The columns of our own files by kind, in order. */
export const exportFields: Record<ExportKind, readonly string[]> = {
  reviews: reviewFields,
  seller_reviews: Object.keys(TransferredSellerReview.shape),
  questions: Object.keys(TransferredQuestion.shape),
};

/** File formats of reviews: our own, and exports of other services. */
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
