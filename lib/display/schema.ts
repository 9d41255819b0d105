import { z } from "zod";
import { AnswerTotals } from "@/lib/catalog/summaries/schema";
import { callback, cursor, queryFlag, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { ResponseObject } from "@/lib/reviews/contributions/schema";
import { AnswerObject, Question } from "@/lib/reviews/questions/schema";
import { Review } from "@/lib/reviews/reviews/schema";
import { ShownSellerReview } from "@/lib/reviews/seller-reviews/schema";

/** The public display: accepted contributions only, with nothing about their authors except what they publish. */

const count = z.int().min(0);
const distribution = z.array(count).length(5);

export const DisplayParams = z.object({ client_id: z.string() });

/** Longest id of a product or family. */
const ID_LENGTH = 255;
const subject = {
  key: text(ID_LENGTH).optional().meta({ description: "Product id." }),
  url_key: text(ID_LENGTH).optional().meta({ description: "Product family." }),
  callback,
};
/** Most rows of a page. */
const MAX_LIMIT = 100;
/** Most rows a list skips: skipped rows are read all the same. */
export const MAX_OFFSET = 10_000;

// Parameters of sites made for a hosted service. They never cause an error: a value out of range counts as the nearest
// one, and what can't be read as the default.

/** A whole number, at least `min` and at most `max`; undefined if the value isn't one. */
const tolerantNumber = (min: number, max: number) =>
  z
    .string()
    .transform((value) => (/^\s*[+-]?\d+\s*$/.test(value) ? Math.min(Math.max(Number(value), min), max) : undefined))
    .optional();
const tolerantLimit = tolerantNumber(1, MAX_LIMIT);
/** One more than the most stands for all beyond it, where a list is empty. */
const tolerantOffset = tolerantNumber(0, MAX_OFFSET + 1);
const offset = (rows: string) =>
  tolerantOffset.meta({
    description: `${rows} to skip. Beyond ${MAX_OFFSET}, the list is empty: follow \`next_page_url\` instead, which is faster as well.`,
  });
const tolerantIds = (of: string, max: number) =>
  z
    .array(z.string())
    .transform((ids) => [...new Set(ids)].filter((id) => id !== "" && [...id].length <= ID_LENGTH).slice(0, max))
    .default([])
    .meta({ description: of });
const ignored = (reason: string) =>
  z
    .string()
    .optional()
    .meta({ description: `Accepted and ignored: ${reason}` });
const viewLanguage = ignored("texts are shown as written.");

/** Most ids of one product per call; further ones are ignored. */
export const MAX_ALTERNATIVES = 50;

/** Number of rows of a list, 10 by default. `rows` is their name in the description. */
const limit = (rows: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/, { error: encodeReason("not_a_count", { min: 1 }) })
    .transform((value) => Math.min(Number(value), MAX_LIMIT))
    .default(10)
    .meta({ description: `${rows} per page; values above ${MAX_LIMIT} count as ${MAX_LIMIT}.` });
const hasSubject = <Q extends { key?: string; url_key?: string }>(query: Q) => Boolean(query.key || query.url_key);
const missingSubject = { path: ["key"], error: encodeReason("required_or_url_key"), when: () => true };

export const SummaryQuery = z
  .object({
    ...subject,
    "keys[]": tolerantIds(
      "Further ids of the product. The first with published reviews or questions is shown, else the first in the catalog.",
      MAX_ALTERNATIVES,
    ),
    "url_keys[]": tolerantIds("Further families, tried after all product ids.", MAX_ALTERNATIVES),
    limit: tolerantLimit.meta({ description: "Rows per page, for the URLs of the lists." }),
    lang: z
      .string()
      .transform((value) => /^[a-z]{2,3}([-_][a-z\d]{1,8}){0,3}(?=[-_]|$)/i.exec(value)?.[0])
      .optional()
      .meta({
        description:
          "Language for the URL of the list of reviews; ignored if no review is in it. `sv` and `sv_SE` also mean reviews of another region, `sv-FI`, if there are no others; `sv-SE` doesn't.",
      }),
  })
  .refine((query) => hasSubject(query) || query["keys[]"].length + query["url_keys[]"].length > 0, missingSubject);
export type SummaryQuery = z.output<typeof SummaryQuery>;

export const reviewSorts = ["newest", "highest", "lowest", "most_helpful"] as const;
export type ReviewSort = (typeof reviewSorts)[number];
/** What sites made for a hosted service call the same orders. */
const sortSynonyms = { date: "newest", score: "highest", votes: "most_helpful" } as const;
const sortNames = ["date", "score", "votes"] as const satisfies (keyof typeof sortSynonyms)[];
const isSynonym = (sort: string): sort is keyof typeof sortSynonyms => Object.hasOwn(sortSynonyms, sort);

export const ReviewListQuery = z
  .object({
    ...subject,
    sort: z
      .enum([...reviewSorts, ...sortNames])
      .catch("newest")
      .transform((sort): ReviewSort => (isSynonym(sort) ? sortSynonyms[sort] : sort))
      .default("newest")
      .meta({
        description:
          "Order of the reviews. `most_helpful` sorts by helpful minus not helpful votes. Equal reviews are sorted by date, newest first. `date`, `score` and `votes` are other names of `newest`, `highest` and `most_helpful`; anything else counts as `newest`.",
      }),
    score: z
      .string()
      .regex(/^[1-5](,[1-5]){0,4}$/, { error: encodeReason("not_scores") })
      .transform((value) => [...new Set(value.split(",").map(Number))].sort())
      .optional()
      .meta({ description: "Only reviews with this score, or with one of these: `4,5`." }),
    score_dist: z
      .string()
      .transform((value) => {
        const scores = [...new Set(value.match(/\d+/g)?.map(Number))].filter((score) => 1 <= score && score <= 5);
        return scores.length > 0 ? scores.sort() : undefined;
      })
      .optional()
      .meta({ description: "Other name of `score`, without errors: what isn't a score is ignored." }),
    lang: text(35).optional().meta({
      description:
        "Only reviews with exactly this `lang`. A code with an underscore, as sites made for a hosted service write it, also finds those with a hyphen and without a region: `sv_SE` finds `sv_SE`, `sv-SE` and `sv`.",
    }),
    vlang: viewLanguage,
    with_photos: queryFlag.optional().meta({ description: "Only reviews with photos." }),
    verified: queryFlag.optional().meta({ description: "Only reviews by verified buyers." }),
    limit: limit("Reviews"),
    offset: offset("Reviews"),
    after: cursor,
  })
  .refine(hasSubject, missingSubject)
  .transform(({ score_dist, vlang: _, score = score_dist, ...query }) => ({ ...query, score }));
export type ReviewListQuery = z.output<typeof ReviewListQuery>;

export const QuestionListQuery = z
  .object({
    ...subject,
    sort: ignored("the newest come first."),
    lang: ignored("questions in all languages are listed."),
    vlang: viewLanguage,
    limit: limit("Questions"),
    offset: offset("Questions"),
    after: cursor,
  })
  .refine(hasSubject, missingSubject);
export type QuestionListQuery = z.output<typeof QuestionListQuery>;

const score = z
  .string()
  .regex(/^[1-5]$/, { error: encodeReason("not_a_score") })
  .transform(Number);

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

/** The same list at the address of a hosted service, without errors for its parameters. */
export const OldSellerReviewListQuery = z
  .object({
    client_id: z.string().meta({ description: "Id of the store." }),
    callback,
    limit: tolerantLimit.meta({ description: "Reviews per page, 10 by default." }),
    offset: offset("Reviews"),
    min: tolerantNumber(1, 5).meta({ description: "Lowest score to list." }),
    max: tolerantNumber(1, 5).meta({ description: "Highest score to list." }),
    after: cursor,
  })
  .transform(({ limit = 10, offset = 0, min = 1, max = 5, ...query }) => ({ ...query, limit, offset, min, max }));

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

/** The same for listing pages of sites made for a hosted service: only as many ids as a call may have count. */
export const ScoreQuery = z
  .object({
    key: tolerantIds("Product ids", MAX_RATINGS),
    "keys[]": tolerantIds("Product ids", MAX_RATINGS),
    url_key: tolerantIds("Product families", MAX_RATINGS),
    "url_keys[]": tolerantIds("Product families", MAX_RATINGS),
    callback,
  })
  .transform(({ key, url_key, callback, ...more }) => {
    const keys = [...new Set([...key, ...more["keys[]"]])].slice(0, MAX_RATINGS);
    const families = [...new Set([...url_key, ...more["url_keys[]"]])].slice(0, MAX_RATINGS - keys.length);
    return { key: keys, url_key: families, callback };
  });

/** The kinds of external reviews: by experts and by users. */
const externalKinds = ["pro", "user"] as const;
export type ExternalKind = (typeof externalKinds)[number];

export const ExternalListQuery = z
  .object({
    ...subject,
    kind: z.enum(externalKinds).meta({ description: "`pro`: expert reviews; `user`: user reviews." }),
  })
  .refine(hasSubject, missingSubject);
export type ExternalListQuery = z.output<typeof ExternalListQuery>;

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
    pro_review_url: z
      .string()
      .nullable()
      .describe("URL of the list of expert reviews, empty if only totals are known; null without any."),
    pro_review_page_url: z.string().nullable().describe("URL of the expert reviews on another site."),
    user_review_count: count.describe("Number of external user reviews that the store shows."),
    user_review_url: z
      .string()
      .nullable()
      .describe("URL of the list of user reviews, empty if only totals are known; null without any."),
    user_review_page_url: z.string().nullable().describe("URL of the user reviews on another site."),
    your_review_count: count.describe("Number of published reviews."),
    your_review_url: z.string().nullable().describe("URL of the list of reviews; null without reviews."),
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
    feedback_enabled: z.boolean().describe("Whether visitors can vote on reviews."),
    videos: z.array(z.never()).describe("Always empty: there are no videos."),
  })
  .meta({ id: "DisplaySummary" });
export type DisplaySummary = z.infer<typeof DisplaySummary>;

const nextPageUrl = z
  .string()
  .nullable()
  .describe("URL of the next page; null on the last. A filtered page can be short or empty and still have a next one.");

/** A reply, also with the names that sites made for a hosted service read. */
const DisplayResponse = ResponseObject.extend({
  name: z.string().describe("Author of the reply, as `author`."),
  response: z.string().describe("Text of the reply, as `extract`."),
  icon: z.null().describe("Always null."),
  images: z.array(z.never()).describe("Always empty."),
}).meta({ id: "DisplayResponse" });

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
  incentivized: true,
  votes_up: true,
  votes_down: true,
  product: true,
  responses: true,
  images: true,
  properties: true,
})
  .extend({
    responses: z.array(DisplayResponse).describe("Replies by the store, oldest first."),
    feedback_url: z.string().describe("URL for votes on the review and reports of it."),
    client_id: z.string().describe("Id of the store."),
    source: z.string().describe("Name of the store that collected the review."),
    domain: z.string().nullable().describe("Host name of the store, if its id is one."),
    icon: z.null().describe("Always null: sources have no icon."),
    link: z.null().describe("Always null: reviews have no page of their own."),
    question_answers: z
      .array(
        z.object({
          name: z.string().describe("Name of the question, as in `your_review_answers`."),
          type: z.enum(["score", "text", "select"]).describe("Type of the question."),
          options: z.array(z.string()).describe("The answer: ids of the selected options, the score or the text."),
        }),
      )
      .describe("Answers to the store's custom questions, in their order."),
    original: z.null().describe("Always null: texts are shown as written, not translated."),
  })
  .meta({ id: "DisplayReview" });
export type DisplayReview = z.infer<typeof DisplayReview>;

export const DisplayReviewList = z.object({
  reviews: z.array(DisplayReview),
  next_page_url: nextPageUrl,
});
export type DisplayReviewList = z.infer<typeof DisplayReviewList>;

const DisplayAnswer = AnswerObject.extend({
  from_seller: z.boolean().describe("Whether the answer is by the store."),
});

export const DisplayQuestion = z
  .object({
    ...Question.pick({ id: true, author: true, date: true, question: true, details: true, lang: true }).shape,
    ...Question.pick({ product: true, images: true }).shape,
    answers: z.array(DisplayAnswer).describe("Published answers, oldest first."),
    title: z.string().describe("Question in one line, as `question`."),
    extract: z.string().describe("Details of the question, as `details`."),
    responses: z
      .array(
        DisplayAnswer.omit({ answer: true }).extend({
          extract: z.string().describe("Text of the answer."),
          ...DisplayResponse.pick({ name: true, response: true, icon: true, images: true }).shape,
        }),
      )
      .describe("The same answers, in the form of a review's responses."),
    votes_up: count.describe("Always 0: visitors vote on reviews only."),
    votes_down: count.describe("Always 0."),
    feedback_url: z.null().describe("Always null: visitors vote on reviews only."),
  })
  .meta({ id: "DisplayQuestion" });
export type DisplayQuestion = z.infer<typeof DisplayQuestion>;

export const DisplayQuestionList = z.object({ questions: z.array(DisplayQuestion), next_page_url: nextPageUrl });
export type DisplayQuestionList = z.infer<typeof DisplayQuestionList>;

export const DisplaySellerReview = ShownSellerReview.extend({
  responses: z.array(DisplayResponse).describe("Replies by the store, oldest first."),
}).meta({ id: "DisplaySellerReview" });
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
const DisplayRating = z
  .object({
    key: z.string().nullable().describe("Requested product; null for a family."),
    url_key: z.string().nullable().describe("Requested family; null for a product."),
    ...DisplaySummary.pick({ score: true, your_review_count: true, your_avg_score: true, your_score_dist: true }).shape,
    ...DisplaySummary.pick({ pro_review_count: true, user_review_count: true }).shape,
  })
  .meta({ id: "DisplayRating" });

export const DisplayRatings = z.object({
  ratings: z
    .array(DisplayRating)
    .describe("One entry per requested id, in the requested order: products, then families."),
});
export type DisplayRatings = z.infer<typeof DisplayRatings>;
