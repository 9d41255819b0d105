import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/**
 * Columns: whether a check had flagged the text of `r`, and a report of it was open, when it was decided.
 * `decision`: expression of the decision's number in the history; null: as it is now.
 */
export const meansSql = (clientId: string, kind: ModeratedKind, decision: string): string => {
  const ofItem = (event: string) =>
    `${event}.client_id = ${clientId} and ${event}.kind = '${kind}' and ${event}.subject_id = r.id`;
  const at = `coalesce((select d.at from moderation_events d where d.id = ${decision}), now())`;
  // Findings are deleted when the text is edited, so the history counts too.
  return `(exists (select from moderation_findings f where ${ofItem("f")})
    or exists (select from moderation_events h where ${ofItem("h")} and h.action = 'held' and h.id < ${decision}
          and not exists (select from moderation_events c
                where ${ofItem("c")} and (c.action = 'edited' or c.action = 'imported' and c.texts is not null) and c.id > h.id and c.id < ${decision}))) as flagged,
   ${
     kind === "review"
       ? `exists (select from flags f where f.client_id = ${clientId} and f.review_id = r.id and f.created_at <= ${at}
            and (f.resolved_at is null or f.resolved_at > ${at}))`
       : "false"
   } as reported`;
};
