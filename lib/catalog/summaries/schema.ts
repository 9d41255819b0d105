import { z } from "zod";
import { clientId, cursor, limit, queryFlag } from "@/lib/platform/http/fields";

const count = z.int().min(0);

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

/** What is known of the reviews of a product or family. Averages are null while there is nothing to average. */
export const Statistics = z.object({
  your_review_count: z.int().meta({ description: "Own accepted reviews." }),
  your_avg_score: z.number().nullable().meta({ description: "Their average, 1 to 5; null without any." }),
  pro_review_count: z.int().meta({ description: "External expert reviews, where shown." }),
  user_review_count: z.int().meta({ description: "External user reviews, where shown." }),
  score: z.number().nullable().meta({
    description:
      "Mean of all reviews, external ones too, on a scale of 0 to 10: i stars, or step i of five, count 2 × i.",
  }),
  your_score_dist: z.array(z.int()).length(5).meta({ description: "How many gave 1, 2, 3, 4, 5." }),
  your_review_answers: z.array(AnswerTotals).nullable().meta({
    description: "Answers to custom questions, counted; null where none are asked, and with `by_family`.",
  }),
});
export type Statistics = z.infer<typeof Statistics>;

export const ProductSummary = z
  .object({
    id: z.string().meta({ description: "The product." }),
    family_id: z.string().meta({ description: "Its family." }),
    title: z.string().meta({ description: "Its name." }),
    brand: z.string().nullable().meta({ description: "Its maker." }),
    ...Statistics.shape,
  })
  .meta({ id: "ProductSummary" });
export type ProductSummary = z.infer<typeof ProductSummary>;

/** A family without reviews is its id alone. */
export const FamilySummary = z
  .object({
    family_id: z.string().meta({ description: "The family; all there is where it has no reviews." }),
    ...Statistics.partial().shape,
  })
  .meta({ id: "FamilySummary" });
export type FamilySummary = z.infer<typeof FamilySummary>;

export const SummaryFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  by_family: queryFlag.default(false).meta({ description: "One entry a family instead of one a product." }),
});
export type SummaryFilter = z.output<typeof SummaryFilter>;
