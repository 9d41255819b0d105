import { z } from "zod";
import { cursor, text } from "@/lib/http/fields";
import { Review } from "@/lib/reviews/schema";

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
    score: z.number().nullable().meta({
      description:
        "Mean of all reviews, external ones too, on a scale of 0 to 10: i stars, or step i of five, count 2 × i.",
    }),
    pro_score_dist_all: distribution.describe("External expert reviews, in five steps of the scale."),
    user_score_dist_all: distribution.describe("External user reviews, in five steps of the scale."),
    product_pros: z.array(z.string()).describe("What reviews name most often."),
    product_cons: z.array(z.string()).describe("What reviews name most often."),
    pro_review_count: count.describe("Those the client shows."),
    pro_review_url: z.string().nullable().describe("Where they can be read, on another site."),
    user_review_count: count.describe("Those the client shows."),
    user_review_url: z.string().nullable().describe("Where they can be read, on another site."),
    your_review_count: count.describe("Accepted reviews."),
    your_review_url: z.string().describe("Where they are listed."),
    your_avg_score: z.number().nullable().describe("1 to 5; null without any."),
    your_score_dist: distribution.describe("How many gave 1, 2, 3, 4, 5."),
    your_review_answers: z
      .array(AnswerTotals)
      .nullable()
      .describe("Answers to custom questions, counted; null where none are asked."),
    your_question_count: count.describe("Answered questions."),
    your_question_url: z.string().nullable().describe("Where they are listed; null without any."),
    write_review_url: z.string().describe("The form for visitors."),
  })
  .meta({ id: "DisplaySummary" });
export type DisplaySummary = z.infer<typeof DisplaySummary>;

export const DisplayReview = Review.pick({
  id: true,
  type: true,
  author: true,
  score: true,
  score_max: true,
  date: true,
  extract: true,
  pros: true,
  cons: true,
  lang: true,
  verified_buyer: true,
  votes_up: true,
  votes_down: true,
  product: true,
  responses: true,
  images: true,
  properties: true,
})
  .extend({ feedback_url: z.string().describe("Where votes on it and reports of it go.") })
  .meta({ id: "DisplayReview" });
export type DisplayReview = z.infer<typeof DisplayReview>;

export const DisplayReviewList = z.object({
  reviews: z.array(DisplayReview),
  next_page_url: z.string().nullable(),
});
export type DisplayReviewList = z.infer<typeof DisplayReviewList>;
