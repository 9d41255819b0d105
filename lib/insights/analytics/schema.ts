import { z } from "zod";
import { text } from "@/lib/platform/http/fields";

/** By what reviews are told apart. */
export const dimensions = ["product", "family", "brand", "language"] as const;
export type Dimension = (typeof dimensions)[number];

/** So many months back may be looked. */
export const periods = [6, 12, 24] as const;

/** What the page is asked, as it stands in its address; what makes no sense there counts as not asked. */
export const AnalyticsQuery = z.object({
  months: z.coerce
    .number()
    .refine((value) => (periods as readonly number[]).includes(value))
    .default(12)
    .catch(12),
  by: z.enum(dimensions).default("product").catch("product"),
  /** only what is of this product, family, brand or language (`by` says which) */
  only: text(500)
    .refine((value) => value !== "" && !value.includes("\0"))
    .optional()
    .catch(undefined),
});
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

/** What came in, and what became of it. `average` is of the published ones; null where there is nothing to average. */
export type Counted = {
  received: number;
  published: number;
  rejected: number;
  waiting: number;
  average: number | null;
};

export type MonthFigures = Counted & {
  month: string;
  /** reviews that somebody or a rule decided, imports and the API's left out, and how long that took */
  decided: number;
  median_hours: number | null;
  p90_hours: number | null;
  /** mails sent in this month, and how many of them led to a review by now; null where mails are not told apart so */
  sent: number | null;
  answered: number | null;
};

export type Analytics = {
  months: MonthFigures[];
  total: Omit<MonthFigures, "month">;
  /** by product, family, brand or language, the most reviews first; key null: not known */
  rows: (Counted & { key: string | null; name: string | null })[];
  /** there are more than are shown */
  moreRows: boolean;
  /** the day from which reviews are counted, where there were too many to count them all; else null */
  since: string | null;
  counted: number;
  /** the same of mails */
  mailsSince: string | null;
  mailsCounted: number;
};
