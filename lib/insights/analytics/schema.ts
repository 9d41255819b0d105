import { z } from "zod";
import { text } from "@/lib/platform/http/fields";

/** What reviews can be grouped by. */
export const dimensions = ["product", "family", "brand", "language"] as const;
export type Dimension = (typeof dimensions)[number];

/** Selectable periods, in months. */
export const periods = [6, 12, 24] as const;

/** The page's query parameters; invalid values count as absent. */
export const AnalyticsQuery = z.object({
  months: z.coerce
    .number()
    .refine((value) => (periods as readonly number[]).includes(value))
    .default(12)
    .catch(12),
  by: z.enum(dimensions).default("product").catch("product"),
  /** only reviews of this product, family, brand or language (`by` says which) */
  only: text(500)
    .refine((value) => value !== "" && !value.includes("\0"))
    .optional()
    .catch(undefined),
});
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

/** Reviews received, and their outcomes. `average` is that of the published ones; null if there are none. */
export type ReviewCounts = {
  received: number;
  published: number;
  rejected: number;
  waiting: number;
  average: number | null;
};

export type MonthFigures = ReviewCounts & {
  month: string;
  /** reviews decided by a person or a rule, without those of imports and the API, and how long that took */
  decided: number;
  median_hours: number | null;
  p90_hours: number | null;
  /** emails sent in this month, and how many of them have led to a review; null if emails can't be grouped this way */
  sent: number | null;
  answered: number | null;
};

export type Analytics = {
  months: MonthFigures[];
  total: Omit<MonthFigures, "month">;
  /** by product, family, brand or language, most reviews first; key null: unknown */
  rows: (ReviewCounts & { key: string | null; name: string | null })[];
  /** there are more than shown */
  moreRows: boolean;
  /** the first day counted if there were too many reviews to count all; else null */
  since: string | null;
  counted: number;
  /** the same for emails */
  mailsSince: string | null;
  mailsCounted: number;
};
