import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { Colleague } from "@/lib/accounts/schema";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import type { Issue, Params, Reason } from "@/lib/platform/issue";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { notYetAvailableSql } from "@/lib/platform/jobs/outbox/enqueue";
import { isAppealedSql, selectAppeals } from "@/lib/reviews/decisions/appeals";
import { restoreAssignments, selectAssignees } from "@/lib/reviews/decisions/restore-assignments";
import { nextDecision, stateOf, UNDO_SECONDS } from "@/lib/reviews/decisions/rules";
import {
  type DecidedKind,
  decidedKinds,
  type ModeratedKind,
  type ModerationStatus,
  type RejectReason,
} from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { syncHiddenPhotos } from "@/lib/reviews/decisions/update-shown-photos";
import { type WrittenDecision, writeDecisions } from "@/lib/reviews/decisions/write-decisions";

export type DecisionChange = {
  accepted: boolean | null;
  reject_reason?: RejectReason;
  /** The state the person saw. */
  from?: ModerationStatus;
  /** The text the person saw, as the queue's `revision`: if it was changed since, the decision is a conflict. */
  seen?: string;
};

export type DecisionOptions = {
  notify?: boolean;
  /** Undo the person's last decisions, with the assignments that they ended; events not sent yet aren't sent. */
  undo?: boolean;
};

export type ItemDecision = DecisionChange & DecisionOptions;

type DecidedState = {
  accepted: boolean | null;
  reject_reason: string | null;
};

/** An item's state after a decision, and the person who has it if it is pending. */
export type DecidedItem = DecidedState & { assigned: Colleague | null };

/** An item to decide, and its outcome; `why` explains `conflict` and `gone`. */
export type DecisionRequest = DecisionChange & { kind: DecidedKind; id: string };
export type DecisionOutcome = DecidedItem & {
  kind: DecidedKind;
  id: string;
  outcome: "done" | "conflict" | "gone";
  /** Null if done. */
  why: Pick<Issue, "reason" | "params"> | null;
};

type PublicOutcome = Omit<DecisionOutcome, "why"> & { reason: Reason | null; params: Params; message: string | null };

type Decider = Pick<Actor, "kind" | "id">;
type Shop = Pick<ClientRow, "id" | "auto_moderate">;

/** {@link decideItems} for a single item. Throws `not_found`, and `conflict` if another person decided since. */
export const decideItem = (
  actor: Decider,
  client: Shop,
  kind: DecidedKind,
  id: string,
  decision: ItemDecision,
): Promise<DecidedItem> => transaction((db) => decideInTransaction(db, actor, client, kind, id, decision));

/** {@link decideItem} in the caller's transaction. */
export async function decideInTransaction(
  db: PoolClient,
  actor: Decider,
  client: Shop,
  kind: DecidedKind,
  id: string,
  { notify, undo, ...verdict }: ItemDecision,
): Promise<DecidedItem> {
  const [result] = await decideAll(db, actor, client, [{ kind, id, ...verdict }], { notify, undo });
  const { outcome, why, accepted, reject_reason, assigned } = result as DecisionOutcome;
  if (why === null) return { accepted, reject_reason, assigned };
  throw new AppError(outcome === "gone" ? "not_found" : "conflict", why);
}

/**
 * Applies a person's decisions on reviews, seller reviews, questions, answers and photos, each on its own: items
 * changed since the person saw them return `conflict`, deleted ones `gone`. Rows, history, summaries (by trigger) and
 * outbox events commit together; events are sent after the undo window. Repeating a decision changes nothing. Outcomes
 * are in the order of the items.
 */
export const decideItems = (
  actor: Decider,
  client: Shop,
  items: readonly DecisionRequest[],
  how: DecisionOptions,
): Promise<PublicOutcome[]> =>
  transaction(async (db) =>
    (await decideAll(db, actor, client, items, how)).map(({ why, ...outcome }) => ({
      ...outcome,
      reason: why?.reason ?? null,
      params: why?.params ?? {},
      message: why && englishReason(why.reason, why.params),
    })),
  );

async function decideAll(
  db: PoolClient,
  actor: Decider,
  client: Shop,
  items: readonly DecisionRequest[],
  { notify = false, undo = false }: DecisionOptions,
): Promise<DecisionOutcome[]> {
  const outcomes = new Map<DecisionRequest, DecisionOutcome>();
  await lockQuestionsOf(db, client.id, items);
  await lockSubjectsOf(db, client.id, items);
  for (const kind of decidedKinds) {
    const itemsOfKind = items.filter((item) => item.kind === kind);
    if (itemsOfKind.length === 0) continue;
    const locked = await lockItems(db, client.id, kind, itemsOfKind);
    const todo: WrittenDecision[] = [];
    const conflicting: [DecisionRequest, LockedItem][] = [];
    const appealed = [...locked.values()].flatMap((row) => (row.appealed ? [row.id] : []));
    const appeals = await selectAppeals(db, client.id, kind, appealed, actor.kind === "user" ? actor.id : null);
    for (const item of itemsOfKind) {
      const row = locked.get(item.id);
      const setOutcome = (
        state: DecidedState,
        outcome: DecisionOutcome["outcome"],
        why: DecisionOutcome["why"] = null,
      ) =>
        outcomes.set(item, {
          kind,
          id: item.id,
          accepted: state.accepted,
          reject_reason: state.reject_reason,
          assigned: null,
          outcome,
          why,
        });
      if (!row) {
        setOutcome({ accepted: null, reject_reason: null }, "gone", { reason: `${kind}_not_found` });
        continue;
      }
      const next = nextDecision(row, item);
      const stale = item.from !== undefined && stateOf(row.accepted) !== item.from;
      if (next && (stale || row.rewritten)) {
        conflicting.push([item, row]);
        setOutcome(row, "conflict");
        continue;
      }
      const appeal = appeals.get(item.id);
      if (next && appeal?.isOwn) {
        setOutcome(row, "conflict", { reason: "appeal_needs_another_person", params: {} });
        continue;
      }
      setOutcome(next ?? row, "done");
      if (next)
        todo.push({
          id: item.id,
          question: row.question_id ?? undefined,
          from: row.accepted,
          accepted: next.accepted,
          reason: next.reject_reason,
          actor,
          notify,
          appealed: appeal?.isOpen === true && row.accepted === null,
          delay_seconds: UNDO_SECONDS,
        });
    }
    const conflictParams = await selectConflicts(db, client.id, kind, conflicting);
    for (const [item, params] of conflictParams)
      Object.assign(outcomes.get(item) ?? {}, { why: { reason: "decided_meanwhile", params } });
    const droppedIds = undo ? await dropPendingEvents(db, client.id, kind, todo) : new Set<string>();
    const written = todo.map((decision) => ({
      ...decision,
      silent: droppedIds.has(decision.id),
    }));
    await writeDecisions(db, client, kind, written);
    if (undo) {
      const reopened = written.filter(({ accepted }) => accepted === null);
      await restoreAssignments(
        db,
        client.id,
        kind,
        reopened.map(({ id }) => id),
      );
    }
    const pending = itemsOfKind.flatMap((item) => outcomes.get(item) ?? []).filter(({ accepted }) => accepted === null);
    const assignees = await selectAssignees(
      db,
      client.id,
      kind,
      pending.map(({ id }) => id),
    );
    for (const outcome of pending) outcome.assigned = assignees.get(outcome.id) ?? null;
    if (kind === "photo")
      await syncHiddenPhotos(
        db,
        actor,
        client,
        written.map(({ id }) => id),
      );
  }
  return items.map((item) => outcomes.get(item) as DecisionOutcome);
}

type LockedItem = DecidedState & {
  id: string;
  question_id: string | null;
  rewritten: boolean;
  appealed: boolean;
};

const idsOf = (items: readonly DecisionRequest[], kindToSelect: DecidedKind) =>
  items.flatMap(({ kind, id }) => (kind === kindToSelect ? [id] : []));

/** SQL condition: the row has one of these photos. */
const cameWith = (kind: ModeratedKind, photos: string): string =>
  `id in (select subject_id from uploads where client_id = $1 and token = any(${photos}) and subject_kind = '${kind}')`;

/**
 * Locks the decided reviews and seller reviews, and those of decided photos, in id order. Call `lockQuestionsOf` first.
 */
async function lockSubjectsOf(db: PoolClient, clientId: string, items: readonly DecisionRequest[]): Promise<void> {
  const photos = idsOf(items, "photo");
  if (photos.length === 0) return;
  for (const kind of ["review", "seller_review"] as const)
    await db.query(
      `select id from ${tables[kind]} where client_id = $1 and (id = any($2) or ${cameWith(kind, "$3")})
        order by id for update`,
      [clientId, idsOf(items, kind), photos],
    );
}

/**
 * Locks the decided questions, and those of decided answers and photos, together in id order and before anything else:
 * writing an answer locks its question first, and mixed selections must not deadlock.
 */
async function lockQuestionsOf(db: PoolClient, clientId: string, items: readonly DecisionRequest[]): Promise<void> {
  const [questions, answers, photos] = [idsOf(items, "question"), idsOf(items, "answer"), idsOf(items, "photo")];
  const plain = answers.length === 0 && photos.length === 0;
  if (plain && (questions.length === 0 || questions.length === items.length)) return;
  await db.query(
    `select id from questions where client_id = $1
        and (id = any($2) or id in (select question_id from answers where client_id = $1 and id = any($3))
             or ${cameWith("question", "$4")})
      order by id for update`,
    [clientId, questions, answers, photos],
  );
}

/**
 * Locks the items' rows in id order; `rewritten` if the text was changed after the person saw it, `appealed` if an appeal of
 * the author counts.
 */
async function lockItems(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  items: readonly DecisionRequest[],
): Promise<Map<string, LockedItem>> {
  // Locks before reading, to see what was committed while waiting for a row.
  await db.query({
    name: `lock-decided-${kind}`,
    text: `select from ${tables[kind]} r where r.client_id = $1 and r.id = any($2) order by r.id for update of r`,
    values: [clientId, items.map(({ id }) => id)],
  });
  const { rows } = await db.query<LockedItem>({
    name: `select-decided-${kind}`,
    // Not from JSON, of which PostgreSQL expects a hundred rows: for so many it may read all items of the store.
    text: `select r.id, r.accepted, r.reject_reason, ${kind === "answer" ? "r.question_id" : "null as question_id"},
             g.seen is not null and exists (
               select from moderation_events e where e.client_id = $1 and e.kind = '${kind}' and e.subject_id = r.id
                  and e.action = 'edited' and e.id > g.seen) as rewritten,
             ${isAppealedSql("$1", `'${kind}'`, "r.id")} as appealed
        from unnest($2::text[], $3::bigint[]) as g(id, seen) join ${tables[kind]} r on r.client_id = $1 and r.id = g.id
       order by r.id`,
    values: [clientId, items.map(({ id }) => id), items.map(({ seen }) => seen ?? null)],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** For each item that another person decided first: who, and what they decided. */
async function selectConflicts(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  conflicting: readonly [DecisionRequest, LockedItem][],
): Promise<[DecisionRequest, Params][]> {
  if (conflicting.length === 0) return [];
  const { rows } = await db.query<{
    id: string;
    action: string;
    by: string;
    name: string | null;
  }>(
    `select distinct on (e.subject_id) e.subject_id as id, e.action,
            case e.actor_kind when 'user' then case when u.id is null then 'somebody' else 'person' end
                              when 'key' then 'system' else e.actor_kind end as by, u.username as name
       from moderation_events e left join users u on e.actor_kind = 'user' and u.id = e.actor_id
      where e.client_id = $1 and e.kind = $2 and e.subject_id = any($3) and e.action in ('decided', 'edited')
      order by e.subject_id, e.id desc`,
    [clientId, kind, conflicting.map(([{ id }]) => id)],
  );
  const last = new Map(rows.map((row) => [row.id, row]));
  return conflicting.map(([item, { accepted }]) => {
    const { by = "somebody", name, action } = last.get(item.id) ?? {};
    return [item, { by, name: name ?? "", action: action === "edited" ? "changed" : stateOf(accepted) }];
  });
}

/** Deletes unsent events of the items' last decisions. Returns the ids of those items. */
async function dropPendingEvents(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  items: readonly Pick<WrittenDecision, "id">[],
): Promise<Set<string>> {
  const drop = async (name: string, ids: string[]) => {
    const facts = await withdrawEvents(
      db,
      `id in (select max(id) from outbox where relayed_at is null and client_id = $1 and name = $2 and data ->> $3 = any($4)
               group by data ->> $3)
       and ${notYetAvailableSql}`,
      [clientId, name, `${kind}_id`, ids],
    );
    return facts.map((data) => ({ id: String(data[`${kind}_id`]), to: data.to }));
  };
  if (items.length === 0) return new Set();
  const dropped = await drop(
    `${kind}/decided`,
    items.map(({ id }) => id),
  );
  if (kind === "answer") {
    const published = dropped.flatMap(({ id, to }) => (to === "accepted" ? [id] : []));
    if (published.length > 0) await drop("question/replied", published);
  }
  return new Set(dropped.map(({ id }) => id));
}
