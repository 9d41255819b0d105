import { z } from "zod";
import { cursor, text } from "@/lib/http/fields";
import { ImageObject, ReviewResponse } from "@/lib/reviews/schema";

/** The public display of a product's reviews: accepted ones only, nothing about their authors but what they publish. */

const count = z.int().min(0);
const distribution = z.array(count).length(5);

export const DisplayParams = z.object({ client_id: z.string() });

const subject = {
  key: text(255).optional().meta({ description: "Product id." }),
  url_key: text(255).optional().meta({ description: "Product family." }),
  callback: z
    .string()
    .regex(/^[A-Za-z_$][\w$.]{0,63}$/, { error: "must be the name of a function" })
    .optional()
    .meta({ description: "Wraps the answer in a call of this function (JSONP)." }),
};
const named = <Q extends { key?: string; url_key?: string }>(query: Q) => Boolean(query.key || query.url_key);
const unnamed = { path: ["key"], error: "is required, or url_key", when: () => true };

export const SummaryQuery = z.object(subject).refine(named, unnamed);
export type SummaryQuery = z.output<typeof SummaryQuery>;

export const ReviewListQuery = z
  .object({
    ...subject,
    limit: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, { error: "must be a whole number of at least 1" })
      .transform((value) => Math.min(Number(value), 100))
      .default(10)
      .meta({ description: "Reviews a page; above 100 it is taken as 100." }),
    after: cursor,
  })
  .refine(named, unnamed);
export type ReviewListQuery = z.output<typeof ReviewListQuery>;

/** How a custom question was answered, all reviews together: options of a choice, or the mean of a score. */
export const AnswerTotals = z.union([
  z.object({
    name: z.string(),
    type: z.literal("select"),
    count,
    options: z.array(z.object({ value: z.string(), count })),
  }),
  z.object({ name: z.string(), type: z.literal("score"), count, avg_score: z.number().nullable() }),
]);
export type AnswerTotals = z.infer<typeof AnswerTotals>;

/** `your_`: reviews the client collected; `pro_` and `user_`: totals of external ones. Scores are null without reviews. */
export const DisplaySummary = z
  .object({
    score: z.number().nullable().meta({ description: "All reviews, on a scale of 0 to 10." }),
    pro_score_dist_all: distribution,
    user_score_dist_all: distribution,
    product_pros: z.array(z.string()),
    product_cons: z.array(z.string()),
    pro_review_count: count,
    pro_review_url: z.string().nullable(),
    user_review_count: count,
    user_review_url: z.string().nullable(),
    your_review_count: count,
    your_review_url: z.string(),
    your_avg_score: z.number().nullable(),
    your_score_dist: distribution,
    your_review_answers: z.array(AnswerTotals).nullable(),
    your_question_count: count,
    your_question_url: z.string().nullable(),
    write_review_url: z.string(),
  })
  .meta({ id: "DisplaySummary" });
export type DisplaySummary = z.infer<typeof DisplaySummary>;

export const DisplayReview = z
  .object({
    id: z.string(),
    type: z.literal("customer"),
    author: z.string().nullable(),
    score: z.int(),
    score_max: z.literal(5),
    date: z.string().meta({ format: "date" }),
    extract: z.string(),
    pros: z.array(z.string()),
    cons: z.array(z.string()),
    lang: z.string().nullable(),
    verified_buyer: z.boolean(),
    votes_up: count,
    votes_down: count,
    product: z.string().nullable(),
    responses: z.array(ReviewResponse),
    images: z.array(ImageObject),
    properties: z.record(z.string(), z.unknown()),
    feedback_url: z.string(),
  })
  .meta({ id: "DisplayReview" });
export type DisplayReview = z.infer<typeof DisplayReview>;

export const DisplayReviewList = z.object({
  reviews: z.array(DisplayReview),
  next_page_url: z.string().nullable(),
});
export type DisplayReviewList = z.infer<typeof DisplayReviewList>;
