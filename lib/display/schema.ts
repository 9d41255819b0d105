import { z } from "zod";
import { AnswerTotals } from "@/lib/catalog/summaries/schema";
import { cursor, queryFlag, text } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";
import { AnswerObject, Question } from "@/lib/reviews/questions/schema";
import { Review } from "@/lib/reviews/reviews/schema";
import { ShownSellerReview } from "@/lib/reviews/seller-reviews/schema";

/** The public display: accepted contributions only, nothing about their authors but what they publish. */

const count = z.int().min(0);
const distribution = z.array(count).length(5);

export const DisplayParams = z.object({ client_id: z.string() });

const callback = z
  .string()
  .regex(/^[A-Za-z_$][\w$.]{0,63}$/, { error: because("not_a_function_name") })
  .optional()
  .meta({
    description:
      "Wraps the answer in a call of this function (JSONP). An error calls nothing: it is JSON with its status, at which the script element fires `error`.",
  });
const subject = {
  key: text(255).optional().meta({ description: "Product id." }),
  url_key: text(255).optional().meta({ description: "Product family." }),
  callback,
};
/** How many rows of a list, 10 unless said. `rows` is what the description calls them. */
const limit = (rows: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: because("not_a_count", { min: 1 }) })
    .transform((value) => Math.min(Number(value), 100))
    .default(10)
    .meta({ description: `${rows} a page; above 100 it is taken as 100.` });
const named = <Q extends { key?: string; url_key?: string }>(query: Q) => Boolean(query.key || query.url_key);
const unnamed = { path: ["key"], error: because("required_or_url_key"), when: () => true };

export const SummaryQuery = z.object(subject).refine(named, unnamed);
export type SummaryQuery = z.output<typeof SummaryQuery>;

export const reviewSorts = ["newest", "highest", "lowest", "most_helpful"] as const;
export type ReviewSort = (typeof reviewSorts)[number];

export const ReviewListQuery = z
  .object({
    ...subject,
    sort: z.enum(reviewSorts).default("newest").meta({
      description:
        "Newest first; best or worst first; or most helpful first: votes up less votes down. Among equals the newest first.",
    }),
    score: z
      .string()
      .regex(/^[1-5](,[1-5]){0,4}$/, { error: because("not_scores") })
      .transform((value) => [...new Set(value.split(",").map(Number))].sort())
      .optional()
      .meta({ description: "Reviews of this score only, or of these: `4,5`." }),
    lang: text(35).optional().meta({ description: "Reviews in this language only, as they tell it in `lang`." }),
    with_photos: queryFlag.optional().meta({ description: "Reviews with photos only." }),
    verified: queryFlag.optional().meta({ description: "Reviews of verified buyers only." }),
    limit: limit("Reviews"),
    after: cursor,
  })
  .refine(named, unnamed);
export type ReviewListQuery = z.output<typeof ReviewListQuery>;

export const QuestionListQuery = z
  .object({ ...subject, limit: limit("Questions"), after: cursor })
  .refine(named, unnamed);
export type QuestionListQuery = z.output<typeof QuestionListQuery>;

const score = z
  .string()
  .regex(/^[1-5]$/, { error: because("not_a_score") })
  .transform(Number);

/** What is skipped is read all the same. */
const MOST_SKIPPED = 10_000;

export const SellerReviewListQuery = z
  .object({
    callback,
    limit: limit("Reviews"),
    offset: z
      .string()
      .regex(/^\d{1,7}$/, { error: because("not_a_count", { min: 0 }) })
      .transform(Number)
      .refine((offset) => offset <= MOST_SKIPPED, {
        error: because("too_many_skipped", { max: MOST_SKIPPED }),
      })
      .default(0)
      .meta({
        description: `Reviews to skip, at most ${MOST_SKIPPED}. Where many are, follow \`next_page_url\` instead: it costs the same everywhere.`,
      }),
    min: score.default(1).meta({ description: "The lowest score to list." }),
    max: score.default(5).meta({ description: "The highest score to list." }),
    after: cursor,
  })
  .refine(({ min, max }) => min <= max, { path: ["max"], error: because("below_min") });
export type SellerReviewListQuery = z.output<typeof SellerReviewListQuery>;

/** How many products and families one call may ask ratings of. */
export const MOST_RATINGS = 200;

const several = (what: string) =>
  z
    .array(text(255))
    .max(MOST_RATINGS)
    .default([])
    .meta({ description: `${what}; repeat the parameter for each. At most ${MOST_RATINGS} of both kinds together.` });

export const RatingsQuery = z
  .object({ key: several("Product ids"), url_key: several("Product families"), callback })
  .refine(({ key, url_key }) => key.length + url_key.length > 0, {
    path: ["key"],
    error: because("required_or_url_key"),
    when: () => true,
  })
  .refine(({ key, url_key }) => key.length + url_key.length <= MOST_RATINGS, {
    path: ["key"],
    error: because("too_many_with_url_key", { max: MOST_RATINGS }),
  });
export type RatingsQuery = z.output<typeof RatingsQuery>;

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
    your_photo_review_count: count.describe("Those with photos."),
    your_verified_review_count: count.describe("Those of verified buyers."),
    your_review_languages: z
      .array(
        z.object({
          lang: z.string().describe("Two letters, as in the reviews."),
          count: count.describe("Accepted reviews in it."),
        }),
      )
      .describe("Languages of the accepted reviews, most reviews first."),
    your_review_answers: z
      .array(AnswerTotals)
      .nullable()
      .describe("Answers to custom questions, counted; null where none are asked."),
    your_question_count: count.describe("Accepted questions that have an accepted answer."),
    your_question_url: z.string().nullable().describe("Where they are listed; null without any."),
    write_review_url: z.string().describe("The form for visitors."),
    ask_question_url: z.string().nullable().describe("The form for questions; null where the client takes none."),
  })
  .meta({ id: "DisplaySummary" });
export type DisplaySummary = z.infer<typeof DisplaySummary>;

const nextPageUrl = z
  .string()
  .nullable()
  .describe(
    "The next page; null on the last. A page of chosen reviews may be short, or empty, and still have a next one.",
  );

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
  next_page_url: nextPageUrl,
});
export type DisplayReviewList = z.infer<typeof DisplayReviewList>;

export const DisplayQuestion = z
  .object({
    ...Question.pick({ id: true, author: true, date: true, question: true, details: true, lang: true }).shape,
    ...Question.pick({ product: true, images: true }).shape,
    answers: z
      .array(AnswerObject.extend({ from_seller: z.boolean().describe("Whether the shop answers.") }))
      .describe("Accepted answers, oldest first."),
  })
  .meta({ id: "DisplayQuestion" });
export type DisplayQuestion = z.infer<typeof DisplayQuestion>;

export const DisplayQuestionList = z.object({ questions: z.array(DisplayQuestion), next_page_url: nextPageUrl });
export type DisplayQuestionList = z.infer<typeof DisplayQuestionList>;

export const DisplaySellerReview = ShownSellerReview.meta({ id: "DisplaySellerReview" });
export type DisplaySellerReview = z.infer<typeof DisplaySellerReview>;

export const DisplaySellerReviewList = z.object({
  avg_score: z.number().nullable().describe("1 to 5, of all accepted ones; null without any."),
  review_count: count.describe("All accepted ones, whichever are listed."),
  score_dist: distribution.describe("How many gave 1, 2, 3, 4, 5."),
  seller_reviews: z.array(DisplaySellerReview),
  next_page_url: nextPageUrl,
});
export type DisplaySellerReviewList = z.infer<typeof DisplaySellerReviewList>;

/** The rating of one product or family of those asked for: figures of its summary. */
export const DisplayRating = z
  .object({
    key: z.string().nullable().describe("The product asked for; null where a family was."),
    url_key: z.string().nullable().describe("The family asked for; null where a product was."),
    ...DisplaySummary.pick({ score: true, your_review_count: true, your_avg_score: true, your_score_dist: true }).shape,
    ...DisplaySummary.pick({ pro_review_count: true, user_review_count: true }).shape,
  })
  .meta({ id: "DisplayRating" });
export type DisplayRating = z.infer<typeof DisplayRating>;

export const DisplayRatings = z.object({
  ratings: z.array(DisplayRating).describe("One for each asked, in the order asked: products, then families."),
});
export type DisplayRatings = z.infer<typeof DisplayRatings>;
