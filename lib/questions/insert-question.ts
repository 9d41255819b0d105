import type { CustomAnswers } from "@/lib/clients/custom-answers";
import type { Db } from "@/lib/db/pool";
import { itemsDue } from "@/lib/moderation/moderation-due";
import { takenOnce } from "@/lib/submissions/fingerprint";

/** A question to be stored, as columns; what the catalogue knows is added by the statement. */
export type NewQuestion = {
  client_id: string;
  id: string;
  /** equal for the same submission */
  fingerprint: string;
  source: string;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  author: string;
  author_email: string | null;
  email_key: string | null;
  author_ip: string | null;
  question: string;
  details: string;
  mail_answer: boolean;
  /** `due`: the asker's address is to be confirmed before it counts */
  verification: "due" | null;
  answers: CustomAnswers;
  lang: string;
  date: string;
  terms_agreed_at: string | null;
  terms_version: string | null;
  feedback_token: string;
  /** the writer's clock, where it is not the real one */
  clock_at: string | null;
};

const given = `given as (
  select * from json_to_recordset($1::json) as g(client_id text, id text, fingerprint text, source text, product_id text,
    family_id text, product_name text, product_url text, author text, author_email text, email_key text, author_ip text,
    question text, details text, mail_answer boolean, verification text, answers jsonb, lang text, date date,
    terms_agreed_at timestamptz, terms_version text, feedback_token text, clock_at timestamptz))`;

// Families follow the catalogue; a name given with the submission comes before its own.
const stored = `stored as (
  insert into questions (client_id, id, source, product_id, family_id, product_name, product_url, author, author_email,
    email_key, author_ip, question, details, mail_answer, verification, answers_given, lang, date, terms_agreed_at,
    terms_version, feedback_token)
  select g.client_id, g.id, g.source, g.product_id, coalesce(p.family_id, g.family_id), coalesce(g.product_name, p.name),
    coalesce(g.product_url, p.url), g.author, g.author_email, g.email_key, g.author_ip, g.question, g.details,
    g.mail_answer, g.verification, g.answers, g.lang, g.date, g.terms_agreed_at, g.terms_version, g.feedback_token
  from given g join taken t on t.client_id = g.client_id and t.fingerprint = g.fingerprint and t.subject_id = g.id
  left join products p on p.client_id = g.client_id and p.id = g.product_id
  returning client_id, id)`;

const history = `history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
  select client_id, 'question', id, 'author', 'submitted', 'pending' from stored)`;

const told = `told as (
  insert into outbox (client_id, name, data, clock_at)
  select s.client_id, 'question/submitted', jsonb_build_object('client_id', s.client_id, 'question_id', s.id), g.clock_at
  from stored s join given g on g.client_id = s.client_id and g.id = s.id)`;

const asked = `asked as (
  insert into outbox (client_id, name, data, clock_at)
  select s.client_id, 'verification/due', jsonb_build_object('client_id', s.client_id, 'kind', 'question', 'id', s.id), g.clock_at
  from stored s join given g on g.client_id = s.client_id and g.id = s.id where g.verification = 'due')`;

const due = `due as (
  ${itemsDue("question", "select s.client_id, s.id, g.clock_at from stored s join given g on g.client_id = s.client_id and g.id = s.id")})`;

const text = `with ${[given, takenOnce, stored, history, told, asked, due].join(",\n")} select subject_id from taken`;

/**
 * Stores a submitted question with its history entry, its outbox facts and its fingerprint, in one statement. Answers the
 * id of the row it is stored in: its own, or that of an earlier same one (`duplicate`).
 */
export async function insertQuestion(db: Db, question: NewQuestion): Promise<{ id: string; duplicate: boolean }> {
  const { rows } = await db.query<{ subject_id: string }>({
    name: "insert-question",
    text,
    values: [JSON.stringify([question])],
  });
  const id = rows[0]?.subject_id ?? question.id;
  return { id, duplicate: id !== question.id };
}
