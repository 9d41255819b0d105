import type { PoolClient } from "pg";
import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { decide, stateOf } from "@/lib/moderation/rules";
import { type DecidedKind, kindWords, type ModerationStatus, type RejectReason } from "@/lib/moderation/schema";
import { tables } from "@/lib/moderation/tables";
import { writeDecisions } from "@/lib/moderation/write-decisions";

/** Seconds for which a decision or reply made in the portal can be undone before anybody else hears of it. */
export const UNDO_SECONDS = 10;

export type ItemDecision = {
  accepted: boolean | null;
  reject_reason?: RejectReason;
  /** the state in which the person saw the item */
  from?: ModerationStatus;
  notify?: boolean;
  /** takes back the person's last decision, which nobody is told of where nobody was */
  undo?: boolean;
};

export type Decided = { accepted: boolean | null; reject_reason: string | null };

/**
 * A person's decision on a review, seller review, question or answer. Row, history, summaries (by trigger) and fact commit
 * together; the fact is told after the undo window. What is so already changes nothing, so a call may be repeated. Throws
 * `not_found`, and `conflict` where somebody else decided since the person looked.
 */
export const decideItem = (
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: DecidedKind,
  id: string,
  decision: ItemDecision,
): Promise<Decided> => transaction((db) => decideWithin(db, actor, client, kind, id, decision));

/** The same within the caller's transaction. */
export async function decideWithin(
  db: PoolClient,
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: DecidedKind,
  id: string,
  { accepted, reject_reason, from, notify = false, undo = false }: ItemDecision,
): Promise<Decided> {
  const held = await hold(db, client.id, kind, id);
  if (!held) throw new AppError("not_found", `There is no such ${kindWords[kind]}.`);
  const next = decide(held, { accepted, reject_reason });
  if (!next) return { accepted: held.accepted, reject_reason: held.reject_reason };
  if (from !== undefined && stateOf(held.accepted) !== from) throw await conflict(db, client.id, kind, id, held);
  const decided = { id, from: held.accepted, accepted: next.accepted, reason: next.reject_reason, actor, notify };
  const silent = undo && (await dropUntold(db, client.id, kind, id));
  const question = held.question_id ?? undefined;
  await writeDecisions(db, client, kind, [{ ...decided, question, silent, delay_seconds: UNDO_SECONDS }]);
  return next;
}

type Held = { accepted: boolean | null; reject_reason: string | null; question_id: string | null };

/** Holds an item's row; of an answer its question's first, as whoever writes answers does. */
async function hold(db: PoolClient, clientId: string, kind: DecidedKind, id: string): Promise<Held | null> {
  if (kind === "answer") {
    const { rows } = await db.query<{ id: string }>(
      `select q.id from questions q join answers a on a.client_id = q.client_id and a.question_id = q.id
        where a.client_id = $1 and a.id = $2 for update of q`,
      [clientId, id],
    );
    if (rows.length === 0) return null;
  }
  const { rows } = await db.query<Held>(
    `select accepted, reject_reason, ${kind === "answer" ? "question_id" : "null as question_id"}
       from ${tables[kind]} where client_id = $1 and id = $2 for update`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

async function conflict(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  id: string,
  { accepted }: Held,
): Promise<AppError> {
  const { rows } = await db.query<{ who: string | null }>(
    `select case e.actor_kind when 'user' then coalesce(u.username, 'somebody') when 'rule' then 'a rule'
                              when 'key' then 'the shop’s system' when 'author' then 'its author' end as who
       from moderation_events e left join users u on e.actor_kind = 'user' and u.id = e.actor_id
      where e.client_id = $1 and e.kind = $2 and e.subject_id = $3 order by e.id desc limit 1`,
    [clientId, kind, id],
  );
  const state = { accepted: "accepted it", rejected: "rejected it", pending: "put it back to pending" }[
    stateOf(accepted)
  ];
  return new AppError("conflict", `In the meantime ${rows[0]?.who ?? "somebody"} ${state}.`);
}

/** Removes the fact of an item's last decision where it was not told yet. Answers whether it was there. */
async function dropUntold(db: PoolClient, clientId: string, kind: DecidedKind, id: string): Promise<boolean> {
  const drop = async (name: string) => {
    const { rows } = await db.query<{ to: string | null }>(
      `delete from outbox where id = (
         select max(id) from outbox where relayed_at is null and client_id = $1 and name = $2 and data ->> $3 = $4)
          and relayed_at is null and available_at > now()
       returning data ->> 'to' as to`,
      [clientId, name, `${kind}_id`, id],
    );
    return rows[0];
  };
  const dropped = await drop(`${kind}/decided`);
  if (kind === "answer" && dropped?.to === "accepted") await drop("question/replied");
  return dropped !== undefined;
}
