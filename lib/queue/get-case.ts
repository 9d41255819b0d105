import { type Actor, maySeePeople } from "@/lib/auth/actor";
import { listFindings } from "@/lib/auto-moderation/list-findings";
import { type RuleName, ruleTitles } from "@/lib/auto-moderation/schema";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { seconds } from "@/lib/http/seconds";
import type { ModerationStatus } from "@/lib/moderation/schema";
import { toQueueItem } from "@/lib/queue/list-queue";
import type { HistoryEntry, ReviewCase, ReviewContext } from "@/lib/queue/schema";
import {
  type ContextRow,
  type HistoryRow,
  selectContext,
  selectHistory,
  selectOthers,
  selectQueueRows,
  selectReports,
} from "./sql";

/** A review with order, customer, invitation, product, the author's other reviews and its history. Throws `not_found`. */
export async function getCase(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<ReviewCase> {
  const [rows, context, others, history, findings, reports] = await Promise.all([
    selectQueueRows(pool(), client.id, [id]),
    selectContext(pool(), client.id, id),
    selectOthers(pool(), client.id, id),
    selectHistory(pool(), client.id, id),
    listFindings(client.id, "review", [id]),
    selectReports(pool(), client.id, id),
  ]);
  const row = rows[0];
  if (!row || !context) throw new AppError("not_found", "There is no such review.");
  const seesPeople = maySeePeople(actor);
  return {
    review: toQueueItem(row, client.id, seesPeople, findings.get(id)),
    context: {
      ...surroundings(context, seesPeople),
      others: seesPeople ? others : [],
      reports: reports.map(({ created_at, comment }) => ({ at: seconds(created_at), comment })),
      history: history.map(toEntry),
    },
  };
}

function surroundings(row: ContextRow, seesPeople: boolean): Omit<ReviewContext, "others" | "reports" | "history"> {
  return {
    order:
      row.order_id === null || row.order_created_at === null
        ? null
        : {
            id: row.order_id,
            created_at: seconds(row.order_created_at),
            store_name: row.store_name,
            item_count: row.item_count,
            item_name: row.item_name,
            delivery_date: row.delivery_date,
          },
    customer:
      row.customer_id === null || !seesPeople
        ? null
        : { id: row.customer_id, name: row.customer_name, email: row.customer_email },
    invitation:
      row.invitation_kind === null
        ? null
        : {
            kind: row.invitation_kind,
            sent_at: row.sent_at && seconds(row.sent_at),
            clicked_at: row.clicked_at && seconds(row.clicked_at),
          },
    product:
      row.product_id === null || row.product_name === null
        ? null
        : {
            id: row.product_id,
            name: row.product_name,
            url: row.product_page,
            count: row.review_count ?? 0,
            average: row.review_count ? Math.round(((row.score_sum ?? 0) / row.review_count) * 100) / 100 : null,
          },
  };
}

const who: Record<string, string> = {
  author: "the author",
  system: "Candor",
  key: "an API key",
  user: "a former user",
};

/** A rule as one who acts; null where all of them together did, having nothing against an item. */
const byRule = (rule: string | null): string =>
  rule === null ? "the rules" : `the rule “${ruleTitles[rule as RuleName] ?? rule}”`;

function toEntry(row: HistoryRow): HistoryEntry {
  const name = row.actor_kind === "rule" ? byRule(row.actor_id) : row.actor_name;
  return {
    at: seconds(row.at),
    actor: name ?? who[row.actor_kind] ?? "Candor",
    action: row.action,
    from: row.from_state as ModerationStatus | null,
    to: row.to_state as ModerationStatus | null,
    reason: row.reason,
  };
}
