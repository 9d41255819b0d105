import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/**
 * Columns: whether a check found something in the current text of `r`, and whether a reader reported it. Expressions of
 * its client and kind.
 */
export const meansSql = (clientId: string, kind: ModeratedKind): string =>
  `exists (select from moderation_findings f where f.client_id = ${clientId} and f.kind = '${kind}' and f.subject_id = r.id) as flagged,
   ${kind === "review" ? `exists (select from flags f where f.client_id = ${clientId} and f.review_id = r.id)` : "false"} as reported`;
