/** What reviews can be grouped by. */
export const dimensions = ["product", "family", "brand", "category", "language", "source", "rating"] as const;

/** Selectable periods. Those in months include the current one; `custom` has days of its own. */
export const periods = [
  "7d",
  "30d",
  "90d",
  "month",
  "last_month",
  "quarter",
  "last_quarter",
  "year",
  "12m",
  "24m",
  "custom",
] as const;

/** What a period is compared with: the one before, the same days a year before, or nothing. */
export const comparisons = ["previous", "year", "none"] as const;

/** Filters of reviews, named as in the list of reviews. */
export const filterNames = ["product", "brand", "category", "lang", "source", "stars"] as const;

/** What groups can be sorted by. */
export const sorts = ["name", "received", "published", "rejected", "pending", "average", "change"] as const;
export const directions = ["asc", "desc"] as const;

// What analytics and the home page count, so that their figures agree.

/** Most invitation emails that are counted, the newest. */
export const MAX_MAILS = 200_000;

/** A product's average is compared with its average before only if both come from at least this many reviews. */
export const MIN_COMPARED_REVIEWS = 3;

/** Condition of a review `r` that was decided here. Those from the API or an import were decided elsewhere. */
export const wasDecidedHereSql = "r.decided_at is not null and r.source not in ('api', 'import')";

/** Hours from a review's receipt to its latest decision. */
export const decisionHoursSql = "extract(epoch from r.decided_at - r.created_at) / 3600.0";

/** Condition of an invitation email that was sent; a delegated one is once the merchant's own sender accepted it. */
export const wasSentSql = "sent_at is not null and (handed_at is null or taken_at is not null)";
