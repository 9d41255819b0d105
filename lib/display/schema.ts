import { z } from "zod";
import { AnswerTotals } from "@/lib/catalog/summaries/schema";
import { cursor, queryFlag, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { AnswerObject, Question } from "@/lib/reviews/questions/schema";
import { Review } from "@/lib/reviews/reviews/schema";
import { ShownSellerReview } from "@/lib/reviews/seller-reviews/schema";

/** The public display: accepted contributions only, with nothing about their authors except what they publish. */

const count = z.int().min(0);
const distribution = z.array(count).length(5);

export const DisplayParams = z.object({ client_id: z.string() });

const callback = z
  .string()
  .regex(/^[A-Za-z_$][\w$.]{0,63}$/, { error: encodeReason("not_a_function_name") })
  .optional()
  .meta({
    description:
      "Name of a JavaScript function to wrap the response in (JSONP). Errors are not wrapped: they are JSON with an error status, and the script element fires `error`.",
  });
const subject = {
  key: text(255).optional().meta({ description: "Product id." }),
  url_key: text(255).optional().meta({ description: "Product family." }),
  callback,
};
/** Number of rows of a list, 10 by default. `rows` is their name in the description. */
const limit = (rows: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: encodeReason("not_a_count", { min: 1 }) })
    .transform((value) => Math.min(Number(value), 100))
    .default(10)
    .meta({ description: `${rows} per page; values above 100 count as 100.` });
const hasSubject = <Q extends { key?: string; url_key?: string }>(query: Q) => Boolean(query.key || query.url_key);
const missingSubject = { path: ["key"], error: encodeReason("required_or_url_key"), when: () => true };

export const SummaryQuery = z.object(subject).refine(hasSubject, missingSubject);
export type SummaryQuery = z.output<typeof SummaryQuery>;

export const reviewSorts = ["newest", "highest", "lowest", "most_helpful"] as const;
export type ReviewSort = (typeof reviewSorts)[number];

export const ReviewListQuery = z
  .object({
    ...subject,
    sort: z.enum(reviewSorts).default("newest").meta({
      description:
        "Order of the reviews. `most_helpful` sorts by helpful minus not helpful votes. Equal reviews are sorted by date, newest first.",
    }),
    score: z
      .string()
      .regex(/^[1-5](,[1-5]){0,4}$/, { error: encodeReason("not_scores") })
      .transform((value) => [...new Set(value.split(",").map(Number))].sort())
      .optional()
      .meta({ description: "Only reviews with this score, or with one of these: `4,5`." }),
    lang: text(35).optional().meta({ description: "Only reviews in this language, as in their `lang`." }),
    with_photos: queryFlag.optional().meta({ description: "Only reviews with photos." }),
    verified: queryFlag.optional().meta({ description: "Only reviews by verified buyers." }),
    limit: limit("Reviews"),
    after: cursor,
  })
  .refine(hasSubject, missingSubject);
export type ReviewListQuery = z.output<typeof ReviewListQuery>;

export const QuestionListQuery = z
  .object({ ...subject, limit: limit("Questions"), after: cursor })
  .refine(hasSubject, missingSubject);
export type QuestionListQuery = z.output<typeof QuestionListQuery>;

const score = z
  .string()
  .regex(/^[1-5]$/, { error: encodeReason("not_a_score") })
  .transform(Number);

/** Skipped rows are read all the same. */
const MAX_OFFSET = 10_000;

export const SellerReviewListQuery = z
  .object({
    callback,
    limit: limit("Reviews"),
    offset: z
      .string()
      .regex(/^\d{1,7}$/, { error: encodeReason("not_a_count", { min: 0 }) })
      .transform(Number)
      .refine((offset) => offset <= MAX_OFFSET, {
        error: encodeReason("too_many_skipped", { max: MAX_OFFSET }),
      })
      .default(0)
      .meta({
        description: `Reviews to skip, at most ${MAX_OFFSET}. For long lists, follow \`next_page_url\` instead, which is faster.`,
      }),
    min: score.default(1).meta({ description: "Lowest score to list." }),
    max: score.default(5).meta({ description: "Highest score to list." }),
    after: cursor,
  })
  .refine(({ min, max }) => min <= max, { path: ["max"], error: encodeReason("below_min") });
export type SellerReviewListQuery = z.output<typeof SellerReviewListQuery>;

/** Most products and families per call for ratings. */
export const MAX_RATINGS = 200;

const idList = (what: string) =>
  z
    .array(text(255))
    .max(MAX_RATINGS)
    .default([])
    .meta({
      description: `${what}. Repeat the parameter for each. At most ${MAX_RATINGS} products and families per call.`,
    });

export const RatingsQuery = z
  .object({ key: idList("Product ids"), url_key: idList("Product families"), callback })
  .refine(({ key, url_key }) => key.length + url_key.length > 0, {
    path: ["key"],
    error: encodeReason("required_or_url_key"),
    when: () => true,
  })
  .refine(({ key, url_key }) => key.length + url_key.length <= MAX_RATINGS, {
    path: ["key"],
    error: encodeReason("too_many_with_url_key", { max: MAX_RATINGS }),
  });
export type RatingsQuery = z.output<typeof RatingsQuery>;

/**
 * `your_`: reviews the client collected; `pro_` and `user_`: totals of external ones. Scores are null without reviews.
 */
export const DisplaySummary = z
  .object({
    score: z.number().nullable().meta({
      description:
        "Average of all reviews, including external ones, from 0 to 10: i stars, or step i of five, count as 2 × i.",
    }),
    pro_score_dist_all: distribution.describe("Number of external expert reviews in each of five steps of the scale."),
    user_score_dist_all: distribution.describe("Number of external user reviews in each of five steps of the scale."),
    product_pros: z.array(z.string()).describe("Pros that reviews name most often."),
    product_cons: z.array(z.string()).describe("Cons that reviews name most often."),
    pro_review_count: count.describe("Number of external expert reviews that the store shows."),
    pro_review_url: z.string().nullable().describe("URL of the expert reviews on another site."),
    user_review_count: count.describe("Number of external user reviews that the store shows."),
    user_review_url: z.string().nullable().describe("URL of the user reviews on another site."),
    your_review_count: count.describe("Number of published reviews."),
    your_review_url: z.string().describe("URL of the list of reviews."),
    your_avg_score: z.number().nullable().describe("Average of published reviews, 1 to 5; null without reviews."),
    your_score_dist: distribution.describe("Number of reviews with 1, 2, 3, 4 and 5 stars."),
    your_photo_review_count: count.describe("Number of reviews with photos."),
    your_verified_review_count: count.describe("Number of reviews by verified buyers."),
    your_review_languages: z
      .array(
        z.object({
          lang: z.string().describe("Two-letter language code, as in the reviews."),
          count: count.describe("Number of published reviews in the language."),
        }),
      )
      .describe("Languages of the published reviews, by number of reviews."),
    your_review_answers: z
      .array(AnswerTotals)
      .nullable()
      .describe("Counted answers to custom questions; null if the store asks none."),
    your_question_count: count.describe("Number of published questions with a published answer."),
    your_question_url: z.string().nullable().describe("URL of the list of questions; null without questions."),
    write_review_url: z.string().describe("URL of the review form."),
    ask_question_url: z
      .string()
      .nullable()
      .describe("URL of the question form; null if the store doesn't collect questions."),
  })
  .meta({ id: "DisplaySummary" });
export type DisplaySummary = z.infer<typeof DisplaySummary>;

const nextPageUrl = z
  .string()
  .nullable()
  .describe("URL of the next page; null on the last. A filtered page can be short or empty and still have a next one.");

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
  .extend({ feedback_url: z.string().describe("URL for votes on the review and reports of it.") })
  .meta({ id: "DisplayReview" });
export type DisplayReview = z.infer<typeof DisplayReview>;

export const DisplayReviewList = z.object({
  reviews: z.array(DisplayReview),
  next_page_url: nextPageUrl,
});
export type DisplayReviewList = z.infer<typeof DisplayReviewList>;

export const DisplayQuestion = z
  .object({
    ...Question.pick({ id: true, author: true, date: true, question: true, details: true, lang: true }).shape,
    ...Question.pick({ product: true, images: true }).shape,
    answers: z
      .array(AnswerObject.extend({ from_seller: z.boolean().describe("Whether the answer is by the store.") }))
      .describe("Published answers, oldest first."),
  })
  .meta({ id: "DisplayQuestion" });
export type DisplayQuestion = z.infer<typeof DisplayQuestion>;

export const DisplayQuestionList = z.object({ questions: z.array(DisplayQuestion), next_page_url: nextPageUrl });
export type DisplayQuestionList = z.infer<typeof DisplayQuestionList>;

export const DisplaySellerReview = ShownSellerReview.meta({ id: "DisplaySellerReview" });
export type DisplaySellerReview = z.infer<typeof DisplaySellerReview>;

export const DisplaySellerReviewList = z.object({
  avg_score: z.number().nullable().describe("Average of all published seller reviews, 1 to 5; null without any."),
  review_count: count.describe("Number of all published seller reviews, including those not listed."),
  score_dist: distribution.describe("Number of seller reviews with 1, 2, 3, 4 and 5 stars."),
  seller_reviews: z.array(DisplaySellerReview),
  next_page_url: nextPageUrl,
});
export type DisplaySellerReviewList = z.infer<typeof DisplaySellerReviewList>;

/** The rating of one requested product or family: figures of its summary. */
export const DisplayRating = z
  .object({
    key: z.string().nullable().describe("Requested product; null for a family."),
    url_key: z.string().nullable().describe("Requested family; null for a product."),
    ...DisplaySummary.pick({ score: true, your_review_count: true, your_avg_score: true, your_score_dist: true }).shape,
    ...DisplaySummary.pick({ pro_review_count: true, user_review_count: true }).shape,
  })
  .meta({ id: "DisplayRating" });
export type DisplayRating = z.infer<typeof DisplayRating>;

export const DisplayRatings = z.object({
  ratings: z
    .array(DisplayRating)
    .describe("One entry per requested id, in the requested order: products, then families."),
});
export type DisplayRatings = z.infer<typeof DisplayRatings>;
