import { isDeepStrictEqual } from "node:util";
import type { PoolClient } from "pg";
import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import type { Finding } from "@/lib/moderation/rules/schema";
import type { Db } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { isAppealedSql } from "@/lib/reviews/decisions/appeals";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

// Statements for automatic moderation. None reads a score.

/** A pending item with the data rules may use. `version` changes with every change of the row. */
export type ItemRow = {
  id: string;
  version: string;
  source: string;
  author: string | null;
  title: string | null;
  /** its main text */
  extract: string;
  pros: string[];
  cons: string[];
  answers: CustomAnswers;
  lang: string | null;
  photos: number;
  email_key: string | null;
  author_ip: string | null;
  verified_email: boolean;
  product: string | null;
  order_id: string | null;
  phone: string | null;
  created_at: Date;
};

const texts: Record<ModeratedKind, string> = {
  review: "r.title, r.extract, r.pros, r.cons",
  seller_review: "r.title, r.extract, '{}'::text[] as pros, '{}'::text[] as cons",
  question: "r.question as title, r.details as extract, '{}'::text[] as pros, '{}'::text[] as cons",
};
const contextColumns: Record<ModeratedKind, string> = {
  review: "r.answers, coalesce(r.family_id, r.product_id) as product, r.order_id",
  seller_review: "r.answers, null as product, r.order_id",
  question: "r.answers_given as answers, coalesce(r.family_id, r.product_id) as product, null as order_id",
};

/**
 * Those of the items that are pending and not yet moderated, by id. Excludes items that a person moved back to pending;
 * they stay with the person even if the author confirms an address, which doesn't change the text.
 */
export async function selectItems(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<ItemRow[]> {
  const { rows } = await db.query<ItemRow>({
    name: `rule-items-${kind}`,
    text: `select r.id, r.xmin::text as version, r.source, r.author, ${texts[kind]}, r.lang, ${contextColumns[kind]},
                  jsonb_array_length(r.images) as photos, r.email_key, r.author_ip, r.verified_email, c.phone, r.created_at
             from ${tables[kind]} r
             left join customers c on c.client_id = r.client_id and c.id = r.customer_id
             left join lateral (
               select e.actor_kind, e.action from moderation_events e
                where e.client_id = r.client_id and e.kind = '${kind}' and e.subject_id = r.id and e.action <> 'verified'
                order by e.id desc limit 1) last on true
            where r.client_id = $1 and r.id = any($2) and r.accepted is null
              and (last.actor_kind, last.action) is distinct from ('user', 'decided')
            order by r.id`,
    values: [clientId, ids],
  });
  return rows;
}

/** The next pending items after a position, oldest first. */
export async function selectPending(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  after: { time: string; id: string },
  limit: number,
): Promise<{ id: string; time: string }[]> {
  const { rows } = await db.query<{ id: string; created_at: Date }>({
    name: `pending-${kind}`,
    text: `select id, created_at from ${tables[kind]}
            where client_id = $1 and accepted is null and (created_at, id) > ($2::timestamptz, $3) order by created_at, id limit $4`,
    values: [clientId, after.time, after.id, limit],
  });
  return rows.map(({ id, created_at }) => ({ id, time: created_at.toISOString() }));
}

/** An item's fingerprints: of its text, and of its author, network and product. */
export type ItemFingerprints = {
  id: string;
  created_at: string;
  texts: string[];
  author: string | null;
  network: string | null;
  product: string | null;
};

/** Replaces the items' fingerprints, so that later lookups find them. */
export async function saveFingerprints(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  prints: readonly ItemFingerprints[],
): Promise<void> {
  await db.query({
    name: `save-fingerprints-${kind}`,
    text: `with held as (
        -- The lock excludes items being deleted: their fingerprints are deleted too, and none may be added after that.
        select r.id from ${tables[kind]} r where r.client_id = $1 and r.id = any($4) order by r.id for key share),
      given as (
        select g.id, g.created_at, p.print, p.expires_at
          from held join jsonb_to_recordset($3::jsonb)
                 as g(id text, created_at timestamptz, texts bigint[], author bigint, network bigint, product bigint) using (id),
               lateral (select unnest(g.texts), null::timestamptz
                        union select s, now() + interval '1 day' from unnest(array[g.author, g.network, g.product]) s where s is not null)
                 as p(print, expires_at)),
      gone as (
        delete from moderation_prints m where m.client_id = $1 and m.kind = $2 and m.subject_id = any($4)
           and not exists (select from given g where g.id = m.subject_id and g.print = m.print))
      insert into moderation_prints (client_id, kind, subject_id, print, created_at, expires_at)
      select $1, $2, id, print, created_at, expires_at from given order by id, print
      on conflict do nothing`,
    values: [clientId, kind, JSON.stringify(prints), prints.map(({ id }) => id)],
  });
}

/** Items related to an item: those that share text fingerprints, most similar first, and how many came recently. */
export type RelatedItems = { id: string; alike: string[]; author: number; network: number; product: number };

/** Selects items' neighbors with bounded index reads: at most three per fingerprint, and counts up to `most`. */
export async function selectRelatedItems(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  prints: readonly ItemFingerprints[],
  { minutes, limit }: { minutes: number; limit: number },
): Promise<Map<string, RelatedItems>> {
  const countRecentSql = (what: string) =>
    `(select count(*)::int from (select from moderation_prints m
       where m.client_id = $1 and m.print = g.${what} and (m.created_at, m.subject_id) < (g.created_at, g.id)
         and m.created_at > g.created_at - $4 * interval '1 minute' limit $5) n) as ${what}`;
  const { rows } = await db.query<RelatedItems>({
    name: "select-related-items",
    text: `select g.id, ${["author", "network", "product"].map(countRecentSql).join(", ")},
        array(select s.subject_id from unnest(g.texts) t, lateral (
                select m.subject_id from moderation_prints m
                 where m.client_id = $1 and m.print = t and m.kind = $2 and m.subject_id <> g.id
                 order by m.created_at desc, m.subject_id desc limit 3) s
               group by s.subject_id order by count(*) desc, s.subject_id limit 5) as alike
      from jsonb_to_recordset($3::jsonb) as g(id text, created_at timestamptz, texts bigint[], author bigint, network bigint, product bigint)`,
    values: [clientId, kind, JSON.stringify(prints), minutes, limit],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** An item that another may copy: its fingerprinted text, date, and whether it is published. */
export type Original = Pick<ItemRow, "id" | "extract" | "pros" | "cons" | "created_at"> & { accepted: boolean | null };

/** Items that others may copy, by id. */
export async function selectOriginals(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<Map<string, Original>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<Original>({
    name: `originals-${kind}`,
    text: `select r.id, ${texts[kind]}, r.created_at, r.accepted from ${tables[kind]} r where r.client_id = $1 and r.id = any($2)`,
    values: [clientId, ids],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Items that share text fingerprints with an item, most shared first: candidates for similarity. */
export async function selectSimilarCandidates(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  id: string,
  prints: readonly string[],
): Promise<(Original & { date: string })[]> {
  if (prints.length === 0) return [];
  const { rows } = await db.query<Original & { date: string }>({
    name: `sharing-prints-${kind}`,
    text: `select r.id, ${texts[kind]}, r.created_at, r.accepted, r.date
       from (select s.subject_id, count(*) as shared from unnest($3::bigint[]) t, lateral (
               select m.subject_id from moderation_prints m
                where m.client_id = $1 and m.print = t and m.kind = $2 and m.subject_id <> $4
                order by m.created_at desc, m.subject_id desc limit 5) s
              group by s.subject_id order by shared desc, s.subject_id limit 20) n
       join ${tables[kind]} r on r.client_id = $1 and r.id = n.subject_id`,
    values: [clientId, kind, prints, id],
  });
  return rows;
}

/** Locks the items' rows, in order. Returns the versions of those that are pending. */
export async function lockPending(
  db: PoolClient,
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; version: string; pending: boolean }>({
    name: `lock-pending-${kind}`,
    text: `select id, xmin::text as version, accepted is null and not ${isAppealedSql("$1", `'${kind}'`, `${tables[kind]}.id`)} as pending from ${tables[kind]}
            where client_id = $1 and id = any($2) order by id for update`,
    values: [clientId, ids],
  });
  return new Map(rows.flatMap(({ id, version, pending }) => (pending ? [[id, version] as const] : [])));
}

export type ItemFindings = { id: string; findings: readonly Finding[] };

/** Replaces the findings of items whose rows are locked, leaving unchanged ones. Returns the ids with new findings. */
export async function saveFindings(
  db: PoolClient,
  clientId: string,
  kind: ModeratedKind,
  items: readonly ItemFindings[],
): Promise<Set<string>> {
  const ids = items.map(({ id }) => id);
  const known = await selectFindings(db, clientId, kind, ids);
  const changed = items.filter(({ id, findings }) => !isDeepStrictEqual(known.get(id) ?? [], findings));
  if (changed.length === 0) return new Set();
  const rows = changed.flatMap(({ id, findings }) =>
    findings.map((finding, position) => ({ ...finding, subject_id: id, position, id: newId("fnd") })),
  );
  await db.query("delete from moderation_findings where client_id = $1 and kind = $2 and subject_id = any($3)", [
    clientId,
    kind,
    changed.map(({ id }) => id),
  ]);
  await db.query({
    name: "save-findings",
    text: `insert into moderation_findings (client_id, id, kind, subject_id, position, rule, field, span_start, span_end, suggested, reason)
           select $1, id, $2, subject_id, position, rule, field, start, "end", suggested, reason
             from jsonb_to_recordset($3::jsonb) as f(id text, subject_id text, position int, rule text, field text, start int, "end" int,
               suggested text, reason text)`,
    values: [clientId, kind, JSON.stringify(rows)],
  });
  return new Set(changed.map(({ id }) => id));
}

/** Findings by item id, in order. */
export async function selectFindings(
  db: Db,
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<Map<string, Finding[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ subject_id: string; findings: Finding[] }>({
    name: "select-findings",
    text: `select subject_id, json_agg(json_build_object('rule', rule, 'field', field, 'start', span_start, 'end', span_end,
                    'suggested', suggested, 'reason', reason) order by position) as findings
             from moderation_findings where client_id = $1 and kind = $2 and subject_id = any($3) group by subject_id`,
    values: [clientId, kind, ids],
  });
  return new Map(rows.map(({ subject_id, findings }) => [subject_id, findings]));
}

/** Records in the history that a rule held an item for a person. */
export async function recordHeld(
  db: PoolClient,
  clientId: string,
  kind: ModeratedKind,
  held: readonly { id: string; rule: string }[],
): Promise<void> {
  if (held.length === 0) return;
  await db.query({
    name: "record-held",
    text: `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state)
           select $1, $2, id, 'rule', rule, 'held', 'pending', 'pending'
             from jsonb_to_recordset($3::jsonb) as h(id text, rule text) order by id`,
    values: [clientId, kind, JSON.stringify(held)],
  });
}

/** Deletes up to `limit` expired fingerprints. Returns how many. */
export async function deleteExpiredFingerprints(db: Db, limit: number, clientId: string | null): Promise<number> {
  const done = await db.query(
    `delete from moderation_prints where ctid = any(array(
       select ctid from moderation_prints where expires_at < now() and ($2::text is null or client_id = $2)
        order by expires_at limit $1 for update skip locked))`,
    [limit, clientId],
  );
  return done.rowCount ?? 0;
}
