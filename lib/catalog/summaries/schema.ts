import { z } from "zod";
import { clientId, cursor, limit, queryFlag } from "@/lib/platform/http/fields";

const count = z.int().min(0);

/** Answers to a custom question across reviews: counts per option of a choice, or the mean of a score. */
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

/** Statistics of a product's or family's reviews. Averages are null if there is nothing to average. */
export const Statistics = z.object({
  your_review_count: z.int().meta({ description: "Number of published reviews." }),
  your_avg_score: z
    .number()
    .nullable()
    .meta({ description: "Average of published reviews, 1 to 5; null without reviews." }),
  pro_review_count: z.int().meta({ description: "Number of external expert reviews, as far as shown." }),
  user_review_count: z.int().meta({ description: "Number of external user reviews, as far as shown." }),
  score: z.number().nullable().meta({
    description:
      "Average of all reviews, including external ones, from 0 to 10: i stars, or step i of five, count as 2 × i.",
  }),
  your_score_dist: z.array(z.int()).length(5).meta({ description: "Number of reviews with 1, 2, 3, 4 and 5 stars." }),
  your_review_answers: z.array(AnswerTotals).nullable().meta({
    description: "Counted answers to custom questions; null with `by_family` or if the store asks none.",
  }),
});
export type Statistics = z.infer<typeof Statistics>;

export const ProductSummary = z
  .object({
    id: z.string().meta({ description: "Id of the product." }),
    family_id: z.string().meta({ description: "Family of the product." }),
    title: z.string().meta({ description: "Name of the product." }),
    brand: z.string().nullable().meta({ description: "Brand of the product." }),
    ...Statistics.shape,
  })
  .meta({ id: "ProductSummary" });
export type ProductSummary = z.infer<typeof ProductSummary>;

/** A family without reviews has only its id. */
export const FamilySummary = z
  .object({
    family_id: z.string().meta({ description: "Id of the family. The only field if the family has no reviews." }),
    ...Statistics.partial().shape,
  })
  .meta({ id: "FamilySummary" });
export type FamilySummary = z.infer<typeof FamilySummary>;

export const SummaryFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  by_family: queryFlag.default(false).meta({ description: "Whether to list families instead of products." }),
});
export type SummaryFilter = z.output<typeof SummaryFilter>;
