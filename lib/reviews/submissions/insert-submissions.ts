import type { CustomAnswers } from "@/lib/accounts/stores/custom-answers";
import { joinProduct } from "@/lib/catalog/products/join-product";
import type { Db } from "@/lib/platform/db/pool";
import { withDerivedEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { moderationDueSql } from "@/lib/reviews/decisions/moderation-due";
import { dedupeSql } from "@/lib/reviews/submissions/fingerprint";

// Stores submissions of every kind: one statement writes rows, history, outbox events and fingerprints for duplicate
// detection, or nothing.

/** Columns common to rows of every kind. The statement adds catalog details. */
export type NewSubmission = {
  client_id: string;
  id: string;
  source: string;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  author: string;
  author_email: string | null;
  email_key: string | null;
  author_ip: string | null;
  answers: CustomAnswers;
  lang: string;
  date: string;
  /** `due`: the author's address must be verified before it counts. */
  verification: "due" | null;
  terms_agreed_at: string | null;
  terms_version: string | null;
  feedback_token: string;
  /** a UUID: the first of the row's history, which its receipt needs */
  salt: string;
  /** Equal for repeated submissions; null without duplicate detection (edits). */
  fingerprint: string | null;
  /** The writer's clock, if it isn't the real one. */
  clock_at: string | null;
};

/** PostgreSQL types of these columns, for reading them from JSON. */
const commonTypes: Record<keyof NewSubmission, string> = {
  client_id: "text",
  id: "text",
  source: "text",
  product_id: "text",
  family_id: "text",
  product_name: "text",
  product_url: "text",
  author: "text",
  author_email: "text",
  email_key: "text",
  author_ip: "text",
  answers: "jsonb",
  lang: "text",
  date: "date",
  verification: "text",
  terms_agreed_at: "timestamptz",
  terms_version: "text",
  feedback_token: "text",
  salt: "uuid",
  fingerprint: "text",
  clock_at: "timestamptz",
};

/**
 * The id of the stored row: the submission's own, or that of the earlier one it duplicates. `salt`: the first of the
 * row's history; null if the row was stored earlier.
 */
export type InsertedSubmission = { id: string; salt: string | null; duplicate: boolean };

type Kind = {
  kind: "review" | "question";
  table: string;
  /** PostgreSQL types of this kind's further columns. */
  types: Record<string, string>;
  /** Expressions for columns of this kind that combine given values (`g`) with the catalog's product (`p`). */
  completed?: Record<string, string>;
  /** Table columns whose names differ from the given values'. */
  renamed?: Record<string, string>;
};

/** Families follow the catalog; a submitted name or URL takes precedence over the catalog's. */
const fromCatalog: Record<string, string> = {
  family_id: "coalesce(p.family_id, g.family_id)",
  product_name: "coalesce(g.product_name, p.name)",
  product_url: "coalesce(g.product_url, p.url)",
};

/** Given values that aren't columns of the row, or not by the same name. */
const own: readonly string[] = ["salt", "fingerprint", "clock_at"];

/** The statement that stores submissions of a kind, for {@link insertSubmissions}. */
export function submissionStatement({ kind, table, types, completed = {}, renamed = {} }: Kind): string {
  const record = Object.entries({ ...commonTypes, ...types });
  const names = record.map(([name]) => name).filter((name) => !own.includes(name));
  const values = { ...fromCatalog, ...completed };
  const withGiven = "stored s join given g on g.client_id = s.client_id and g.id = s.id";
  return `with given as (
  select * from json_to_recordset($1::json) as g(${record.map(([name, type]) => `${name} ${type}`).join(", ")})),
${dedupeSql},
stored as (
  insert into ${table} (${names.map((name) => renamed[name] ?? name).join(", ")})
  select ${names.map((name) => values[name] ?? `g.${name}`).join(", ")}
  from given g ${joinProduct("g", "product_id")}
  where g.fingerprint is null
     or exists (select from taken t where t.client_id = g.client_id and t.fingerprint = g.fingerprint and t.subject_id = g.id)
  returning client_id, id),
history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state, salt)
  select s.client_id, '${kind}', s.id, 'author', 'submitted', 'pending', g.salt from ${withGiven}),
${withDerivedEvents(`insert into outbox (client_id, name, data, clock_at)
  select s.client_id, '${kind}/submitted', jsonb_build_object('client_id', s.client_id, '${kind}_id', s.id), g.clock_at
  from ${withGiven}`)},
-- if the client verifies addresses, this event sends the email
asked as (
  insert into outbox (client_id, name, data, clock_at)
  select s.client_id, 'verification/due', jsonb_build_object('client_id', s.client_id, 'kind', '${kind}', 'id', s.id), g.clock_at
  from ${withGiven} where g.verification = 'due'),
-- one event per client and batch, so that rules check the items together
due as (
  ${moderationDueSql(kind, `select s.client_id, s.id, g.clock_at from ${withGiven}`)})
select client_id, fingerprint, subject_id from taken`;
}

/**
 * Stores submissions, each with its history entry, outbox events and fingerprint, in one all-or-nothing statement.
 * Returns a result for each, in order.
 */
export async function insertSubmissions(
  db: Db,
  { name, text }: { name: string; text: string },
  rows: NewSubmission[],
): Promise<InsertedSubmission[]> {
  const key = ({ client_id, fingerprint }: Pick<NewSubmission, "client_id" | "fingerprint">) =>
    `${fingerprint}|${client_id}`;
  const first = new Map<string, NewSubmission>();
  for (const row of rows) if (row.fingerprint && !first.has(key(row))) first.set(key(row), row);
  const distinct = rows.filter((row) => !row.fingerprint || first.get(key(row)) === row);
  const { rows: storedRows } = await db.query<{ client_id: string; fingerprint: string; subject_id: string }>({
    name,
    text,
    values: [storable(distinct)],
  });
  const ids = new Map(storedRows.map((row) => [key(row), row.subject_id]));
  return rows.map((row) => {
    const id = ids.get(key(row)) ?? row.id;
    const duplicate = id !== row.id;
    return { id, salt: duplicate ? null : row.salt, duplicate };
  });
}

/** JSON for PostgreSQL: lone surrogates, which JavaScript strings may contain, become U+FFFD. */
function storable(rows: NewSubmission[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes("\\ud")) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}
