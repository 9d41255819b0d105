// What analytics and the home page count, so that their figures agree.

/** Most invitation emails that are counted, the newest. */
export const MAX_MAILS = 200_000;

/** Condition of a review `r` that was decided here. Those from the API or an import were decided elsewhere. */
export const wasDecidedHereSql = "r.decided_at is not null and r.source not in ('api', 'import')";

/** Hours from a review's receipt to its latest decision. */
export const decisionHoursSql = "extract(epoch from r.decided_at - r.created_at) / 3600.0";

/** Condition of an invitation email that was sent; a delegated one is once the merchant's own sender accepted it. */
export const wasSentSql = "sent_at is not null and (handed_at is null or taken_at is not null)";
