import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { insertOutboxEvents, outboxRows } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import { moderationDueEvents } from "@/lib/reviews/decisions/moderation-due";
import { stateOf } from "@/lib/reviews/decisions/rules";
import { type DecidedKind, type ModeratedKind, moderatedKinds } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

/**
 * A change of an item's state. `notify`: the author may be notified. `delay_seconds`: delay of events, for undo.
 * `silent`: no events, such as for undoing a decision whose events weren't sent.
 */
export type WrittenDecision = {
  id: string;
  /** The question of an answer. */
  question?: string;
  from: boolean | null;
  accepted: boolean | null;
  reason: string | null;
  actor: Pick<Actor, "kind"> & { id: string | null };
  notify: boolean;
  /** It is the outcome of an author's appeal: the author is notified. */
  appealed?: boolean;
  delay_seconds?: number;
  silent?: boolean;
};

/**
 * Writes decisions on locked items of one kind: rows, history and outbox events in one statement, summaries by trigger.
 * They end the items' assignments; the history has the person, for `restoreAssignments`.
 * Items moved back to pending are queued for the client's rules, unless a person did it: those wait for a person.
 */
export async function writeDecisions(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: DecidedKind,
  decisions: readonly WrittenDecision[],
): Promise<void> {
  if (decisions.length === 0) return;
  const reopened = decisions.filter(({ accepted, actor }) => accepted === null && actor.kind !== "user");
  const events = [
    ...decisions.filter(({ silent }) => !silent).flatMap((decision) => decisionEvents(client.id, kind, decision)),
    ...(isModerated(kind)
      ? moderationDueEvents(
          client,
          kind,
          reopened.map(({ id }) => id),
        )
      : []),
  ];
  await db.query({
    name: `write-decisions-${kind}`,
    // Not from JSON, of which PostgreSQL expects a hundred rows: for so many it may read all items of the store.
    text: `with given as (
        select * from unnest($2::text[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
          as g(id, accepted, reason, from_state, to_state, actor_kind, actor_id)),
      decided as (
        update ${tables[kind]} r set accepted = g.accepted, reject_reason = g.reason, decided_at = now(),
               accepted_at = case when g.accepted then coalesce(r.accepted_at, now()) end
          from given g where r.client_id = $1 and r.id = g.id),
      history as (
        insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, reason, assignee_id)
        select $1, '${kind}', g.id, actor_kind, actor_id, 'decided', from_state, to_state, reason, a.user_id
          from given g left join item_assignments a on a.client_id = $1 and a.kind = '${kind}' and a.subject_id = g.id
         order by g.id),
      released as (
        delete from item_assignments a using given g where a.client_id = $1 and a.kind = '${kind}' and a.subject_id = g.id)
      ${isModerated(kind) ? decidePhotosSql(kind) : ""},
      ${insertOutboxEvents("$3", reportersSql)}
      select`,
    values: [
      client.id,
      decisions.map(({ id }) => id),
      outboxRows(events),
      decisions.map(({ accepted }) => accepted),
      decisions.map(({ reason }) => reason),
      decisions.map(({ from }) => stateOf(from)),
      decisions.map(({ accepted }) => stateOf(accepted)),
      decisions.map(({ actor }) => actor.kind),
      decisions.map(({ actor }) => actor.id),
    ],
  });
}

/** Few reviews are reported with an address, so that only for these a job starts. */
const reportersSql = `e.name <> 'review/reported_rejected'
     or exists (select from flags f where f.client_id = $1 and f.review_id = e.data->>'review_id' and f.email is not null)`;

const isModerated = (kind: DecidedKind): kind is ModeratedKind => (moderatedKinds as readonly string[]).includes(kind);

/**
 * SQL that decides a text's undecided photos along with it. Photos of texts that rules publish are queued, unless they
 * were published with the text before; a person or system that publishes a text has seen them; photos of unpublished
 * texts leave the queue.
 */
const decidePhotosSql = (kind: ModeratedKind): string => `, photos_with as (
        update uploads u
           set queued_at = case when g.accepted then case when s.seen then u.queued_at else coalesce(u.queued_at, now()) end end,
               accepted = case when s.seen then true end,
               accepted_at = case when s.seen then now() end, decided_at = case when s.seen then now() end
          from given g
          join uploads o on o.client_id = $1 and o.subject_kind = '${kind}' and o.subject_id = g.id and o.accepted is null
         cross join lateral (select g.accepted and (g.actor_kind <> 'rule' or exists (
                 select from moderation_events e
                  where e.client_id = $1 and e.kind = '${kind}' and e.subject_id = g.id and e.to_state = 'accepted'
                    and e.action in ('decided', 'imported') and e.actor_kind <> 'rule' and e.at >= o.claimed_at)) as seen) s
         where u.client_id = $1 and u.token = o.token and u.accepted is null)`;

function decisionEvents(clientId: string, kind: DecidedKind, decision: WrittenDecision): OutboxEvent[] {
  const { id, from, accepted, notify, appealed, delay_seconds } = decision;
  // A photo has no event of its own: showing or hiding it updates its subject.
  if (kind === "photo") return [];
  const data = {
    client_id: clientId,
    from: stateOf(from),
    to: stateOf(accepted),
    notify,
    ...(appealed ? { appealed } : {}),
  };
  if (kind === "review") {
    const about = { client_id: clientId, review_id: id };
    return [
      { name: "review/decided", data: { ...data, ...about }, delay_seconds },
      ...(accepted === false ? [{ name: "review/reported_rejected", data: about, delay_seconds } as const] : []),
    ];
  }
  if (kind === "seller_review")
    return [{ name: "seller_review/decided", data: { ...data, seller_review_id: id }, delay_seconds }];
  if (kind === "question") return [{ name: "question/decided", data: { ...data, question_id: id }, delay_seconds }];
  const about = { client_id: clientId, question_id: decision.question ?? "", answer_id: id };
  const outboxEvents: OutboxEvent[] = [{ name: "answer/decided", data: { ...data, ...about }, delay_seconds }];
  return accepted ? [...outboxEvents, { name: "question/replied", data: about, delay_seconds }] : outboxEvents;
}
