import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import type { Issue, Params, Reason } from "@/lib/platform/issue";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { notYetAvailable } from "@/lib/platform/jobs/outbox/enqueue";
import { nextDecision, stateOf } from "@/lib/reviews/decisions/rules";
import {
  type DecidedKind,
  decidedKinds,
  type ModeratedKind,
  type ModerationStatus,
  type RejectReason,
} from "@/lib/reviews/decisions/schema";
import { syncHiddenPhotos } from "@/lib/reviews/decisions/show-photos";
import { tables } from "@/lib/reviews/decisions/tables";
import { type WrittenDecision, writeDecisions } from "@/lib/reviews/decisions/write-decisions";

/** Seconds for which a decision or reply made in the portal can be undone before anybody else hears of it. */
export const UNDO_SECONDS = 10;

export type DecisionChange = {
  accepted: boolean | null;
  reject_reason?: RejectReason;
  /** the state in which the person saw the item */
  from?: ModerationStatus;
  /** the text that the person saw, as the queue's `revision`: where it was changed after that, nothing is decided */
  seen?: string;
};

export type DecisionOptions = {
  notify?: boolean;
  /** takes back the person's last decisions, which nobody is told of where nobody was */
  undo?: boolean;
};

export type ItemDecision = DecisionChange & DecisionOptions;

export type DecidedState = {
  accepted: boolean | null;
  reject_reason: string | null;
};

/** One of several items to decide, and what became of it: `conflict` and `gone` say why in a sentence. */
export type DecisionRequest = DecisionChange & { kind: DecidedKind; id: string };
export type DecisionOutcome = DecidedState & {
  kind: DecidedKind;
  id: string;
  outcome: "done" | "conflict" | "gone";
  /** null where it was done */
  why: Pick<Issue, "reason" | "params"> | null;
};

type PublicOutcome = Omit<DecisionOutcome, "why"> & { reason: Reason | null; params: Params; message: string | null };

type Decider = Pick<Actor, "kind" | "id">;
type Shop = Pick<ClientRow, "id" | "auto_moderate">;

/**
 * A person's decision on a review, seller review, question, answer or photo: {@link decideItems} of one. Throws `not_found`, and
 * `conflict` where somebody else decided since the person looked.
 */
export const decideItem = (
  actor: Decider,
  client: Shop,
  kind: DecidedKind,
  id: string,
  decision: ItemDecision,
): Promise<DecidedState> => transaction((db) => decideInTransaction(db, actor, client, kind, id, decision));

/** The same within the caller's transaction. */
export async function decideInTransaction(
  db: PoolClient,
  actor: Decider,
  client: Shop,
  kind: DecidedKind,
  id: string,
  { notify, undo, ...verdict }: ItemDecision,
): Promise<DecidedState> {
  const [result] = await decideAll(db, actor, client, [{ kind, id, ...verdict }], { notify, undo });
  const { outcome, why, accepted, reject_reason } = result as DecisionOutcome;
  if (why === null) return { accepted, reject_reason };
  throw new AppError(outcome === "gone" ? "not_found" : "conflict", why);
}

/**
 * A person's decisions on any number of items, each its own: what somebody else decided or changed since the person
 * looked stays as it is and is answered as a conflict, what is gone as gone, and the rest is done. Rows, history,
 * summaries (by trigger) and facts of all commit together; facts are told after the undo window. What is so already
 * changes nothing, so a call may be repeated. The answers stand in the order of the items.
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
    const given = items.filter((item) => item.kind === kind);
    if (given.length === 0) continue;
    const held = await lockItems(db, client.id, kind, given);
    const todo: WrittenDecision[] = [];
    const conflicting: [DecisionRequest, LockedItem][] = [];
    for (const item of given) {
      const row = held.get(item.id);
      const answer = (state: DecidedState, outcome: DecisionOutcome["outcome"], why: DecisionOutcome["why"] = null) =>
        outcomes.set(item, {
          kind,
          id: item.id,
          accepted: state.accepted,
          reject_reason: state.reject_reason,
          outcome,
          why,
        });
      if (!row) {
        answer({ accepted: null, reject_reason: null }, "gone", { reason: `${kind}_not_found` });
        continue;
      }
      const next = nextDecision(row, item);
      const stale = item.from !== undefined && stateOf(row.accepted) !== item.from;
      if (next && (stale || row.rewritten)) {
        conflicting.push([item, row]);
        answer(row, "conflict");
        continue;
      }
      answer(next ?? row, "done");
      if (next)
        todo.push({
          id: item.id,
          question: row.question_id ?? undefined,
          from: row.accepted,
          accepted: next.accepted,
          reason: next.reject_reason,
          actor,
          notify,
          delay_seconds: UNDO_SECONDS,
        });
    }
    const conflictParams = await conflicts(db, client.id, kind, conflicting);
    for (const [item, params] of conflictParams)
      Object.assign(outcomes.get(item) ?? {}, { why: { reason: "decided_meanwhile", params } });
    const droppedIds = undo ? await dropPendingEvents(db, client.id, kind, todo) : new Set<string>();
    const written = todo.map((decision) => ({
      ...decision,
      silent: droppedIds.has(decision.id),
    }));
    await writeDecisions(db, client, kind, written);
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
};

const idsOf = (items: readonly DecisionRequest[], wanted: DecidedKind) =>
  items.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));

/** The condition that photos of a choice came with a row. */
const cameWith = (kind: ModeratedKind, photos: string): string =>
  `id in (select subject_id from uploads where client_id = $1 and token = any(${photos}) and subject_kind = '${kind}')`;

/** Holds the reviews and seller reviews that are decided or whose photos are, by key, once `lockQuestionsOf` has. */
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
 * Holds the questions that are decided or whose answers or photos are, at once, by key and before anything else: whoever
 * writes answers holds the question first, and two choices of several kinds must not wait for each other.
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

/** Holds the items' rows, by key; `rewritten` where a text was changed after the person saw it. */
async function lockItems(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  items: readonly DecisionRequest[],
): Promise<Map<string, LockedItem>> {
  // Held before it is looked at: what was committed while we waited for a row must be seen.
  await db.query({
    name: `lock-decided-${kind}`,
    text: `select from ${tables[kind]} r where r.client_id = $1 and r.id = any($2) order by r.id for update of r`,
    values: [clientId, items.map(({ id }) => id)],
  });
  const { rows } = await db.query<LockedItem>({
    name: `select-decided-${kind}`,
    text: `with given as (select * from jsonb_to_recordset($2::jsonb) as g(id text, seen bigint))
      select r.id, r.accepted, r.reject_reason, ${kind === "answer" ? "r.question_id" : "null as question_id"},
             g.seen is not null and exists (
               select from moderation_events e where e.client_id = $1 and e.kind = '${kind}' and e.subject_id = r.id
                  and e.action = 'edited' and e.id > g.seen) as rewritten
        from ${tables[kind]} r join given g on g.id = r.id
       where r.client_id = $1 order by r.id`,
    values: [clientId, JSON.stringify(items.map(({ id, seen }) => ({ id, seen })))],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** For each item that somebody else was faster at: who, and what they did. */
async function conflicts(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  lost: readonly [DecisionRequest, LockedItem][],
): Promise<[DecisionRequest, Params][]> {
  if (lost.length === 0) return [];
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
    [clientId, kind, lost.map(([{ id }]) => id)],
  );
  const last = new Map(rows.map((row) => [row.id, row]));
  return lost.map(([item, { accepted }]) => {
    const { by = "somebody", name, action } = last.get(item.id) ?? {};
    return [item, { by, name: name ?? "", action: action === "edited" ? "changed" : stateOf(accepted) }];
  });
}

/** Removes the facts of the items' last decisions where they were not told yet. Answers whose were there. */
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
       and ${notYetAvailable}`,
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
