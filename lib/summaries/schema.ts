import { z } from "zod";
import { limit, queryFlag } from "@/lib/http/fields";

/** What is known of the reviews of a product or family. Averages are null while there is nothing to average. */
export const Statistics = z.object({
  your_review_count: z.int(),
  your_avg_score: z.number().nullable(),
  pro_review_count: z.int(),
  user_review_count: z.int(),
  score: z.number().nullable().meta({ description: "All reviews on a scale of 0 to 10." }),
  your_score_dist: z.array(z.int()).length(5),
  your_review_answers: z.null(),
});
export type Statistics = z.infer<typeof Statistics>;

export const ProductSummary = z
  .object({
    id: z.string(),
    family_id: z.string(),
    title: z.string(),
    brand: z.string().nullable(),
    ...Statistics.shape,
  })
  .meta({ id: "ProductSummary" });
export type ProductSummary = z.infer<typeof ProductSummary>;

/** A family without reviews is its id alone. */
export const FamilySummary = z
  .object({ family_id: z.string(), ...Statistics.partial().shape })
  .meta({ id: "FamilySummary" });
export type FamilySummary = z.infer<typeof FamilySummary>;

export const SummaryFilter = z.object({
  client_id: z.string().optional(),
  limit,
  after: z.string().optional(),
  by_family: queryFlag.default(false),
});
export type SummaryFilter = z.output<typeof SummaryFilter>;
