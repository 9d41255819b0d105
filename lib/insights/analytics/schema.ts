import { z } from "zod";
import type { DayRange, Unit } from "@/lib/insights/analytics/rules";
import { comparisons, dimensions, directions, type filterNames, periods, sorts } from "@/lib/insights/analytics/values";
import { LIBRARY_STARS } from "@/lib/moderation/library/values";
import { reviewSources } from "@/lib/moderation/queue/values";
import { day, languageCode, text } from "@/lib/platform/http/fields";

export type Dimension = (typeof dimensions)[number];
export type Period = (typeof periods)[number];
export type Comparison = (typeof comparisons)[number];

const name = text(255)
  .refine((value) => value.trim() !== "" && !value.includes("\0"))
  .optional()
  .catch(undefined);

/** The page's query parameters; invalid values count as absent. Filters are named as in the list of reviews. */
export const AnalyticsQuery = z.object({
  period: z.enum(periods).default("12m").catch("12m"),
  /** of the period `custom` */
  from: day.optional().catch(undefined),
  to: day.optional().catch(undefined),
  compare: z.enum(comparisons).default("previous").catch("previous"),
  by: z.enum(dimensions).default("product").catch("product"),
  sort: z.enum(sorts).default("received").catch("received"),
  dir: z.enum(directions).default("desc").catch("desc"),
  /** the id of a product or family */
  product: name,
  brand: name,
  category: name,
  lang: languageCode.optional().catch(undefined),
  source: z.enum(reviewSources).optional().catch(undefined),
  stars: z.string().regex(LIBRARY_STARS).optional().catch(undefined),
});
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

/** Which reviews are counted. */
export type AnalyticsFilter = Pick<AnalyticsQuery, (typeof filterNames)[number]>;

/** Reviews by their date, and their outcomes. `average` is that of the published ones; null if there are none. */
export type ReviewCounts = {
  received: number;
  published: number;
  rejected: number;
  pending: number;
  average: number | null;
};

/** Published reviews by score, 1 to 5. */
export type ScoreDist = [number, number, number, number, number];

/** Reviews decided by a person or a rule, without those of imports and the API, and how long that took. */
export type DecisionTimes = { decided: number; median_hours: number | null; p90_hours: number | null };

/** Emails sent in a period, and how many of them have led to a review. */
export type EmailCounts = { sent: number; answered: number };

export type Figures = ReviewCounts & DecisionTimes & { dist: ScoreDist; emails: EmailCounts | null };

/** The figures of a day, week, month or year. */
export type UnitFigures = DayRange & Omit<Figures, "dist">;

/**
 * A group of reviews. `key` null: unknown. `average_before`: of the days compared with; null if there are too few reviews
 * to compare.
 */
export type KeyFigures = ReviewCounts & { key: string | null; name: string | null; average_before: number | null };

/** A pro or con, and how many reviews name it. */
export type Topic = { text: string; reviews: number };

export type Analytics = {
  range: DayRange;
  unit: Unit;
  units: UnitFigures[];
  total: Figures;
  /** the days compared with; null without a comparison */
  compared: (DayRange & { total: Figures }) | null;
  rows: KeyFigures[];
  /** there are more rows than these */
  moreRows: boolean;
  /** named most often, by at least two reviews; `scanned`: read for them if there are more reviews, else null */
  topics: { pros: Topic[]; cons: Topic[]; scanned: number | null };
  /** The first day whose moderation times are counted if there are too many to count all; else null. */
  timesSince: string | null;
  /** the same for emails */
  emailsSince: string | null;
};
