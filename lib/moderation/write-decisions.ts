import type { PoolClient } from "pg";
import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { moderationDue } from "@/lib/moderation/moderation-due";
import { stateOf } from "@/lib/moderation/rules";
import type { ModeratedKind } from "@/lib/moderation/schema";
import { tables } from "@/lib/moderation/tables";
import { insertFromRows, outboxRows } from "@/lib/outbox/enqueue";
import type { OutboxEvent } from "@/lib/outbox/events";

/** An item's way from one state to another. `notify`: its author may be told. */
export type WrittenDecision = {
  id: string;
  from: boolean | null;
  accepted: boolean | null;
  reason: string | null;
  actor: Pick<Actor, "kind"> & { id: string | null };
  notify: boolean;
};

/**
 * Writes decisions on items of one kind whose rows the caller's transaction holds: rows, history entries and outbox facts
 * in one statement, summaries by trigger. What goes back to pending is handed to the client's rules; but what a person
 * takes back waits for a person.
 */
export async function writeDecisions(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: ModeratedKind,
  decisions: readonly WrittenDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map(({ id, from, accepted, reason, actor }) => ({
    id,
    accepted,
    reason,
    from_state: stateOf(from),
    to_state: stateOf(accepted),
    actor_kind: actor.kind,
    actor_id: actor.id,
  }));
  const reopened = decisions.filter(({ accepted, actor }) => accepted === null && actor.kind !== "user");
  const facts = [
    ...decisions.map((decision) => decided(client.id, kind, decision)),
    ...moderationDue(
      client,
      kind,
      reopened.map(({ id }) => id),
    ),
  ];
  await db.query({
    name: `write-decisions-${kind}`,
    text: `with given as (
        select * from jsonb_to_recordset($2::jsonb) as g(id text, accepted boolean, reason text, from_state text, to_state text,
          actor_kind text, actor_id text)),
      decided as (
        update ${tables[kind]} r set accepted = g.accepted, reject_reason = g.reason, decided_at = now(),
               accepted_at = case when g.accepted then coalesce(r.accepted_at, now()) end
          from given g where r.client_id = $1 and r.id = g.id),
      history as (
        insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, reason)
        select $1, '${kind}', id, actor_kind, actor_id, 'decided', from_state, to_state, reason from given order by id)
      ${insertFromRows("$3")}`,
    values: [client.id, JSON.stringify(rows), outboxRows(facts)],
  });
}

function decided(clientId: string, kind: ModeratedKind, { id, from, accepted, notify }: WrittenDecision): OutboxEvent {
  const decision = { client_id: clientId, from: stateOf(from), to: stateOf(accepted), notify };
  if (kind === "review") return { name: "review/decided", data: { ...decision, review_id: id } };
  if (kind === "seller_review") return { name: "seller_review/decided", data: { ...decision, seller_review_id: id } };
  return { name: "question/decided", data: { ...decision, question_id: id } };
}
