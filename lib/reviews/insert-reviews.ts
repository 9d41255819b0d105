import type { CustomAnswers } from "@/lib/clients/custom-answers";
import type { Db } from "@/lib/db/pool";
import { itemsDue } from "@/lib/moderation/moderation-due";
import { takenOnce } from "@/lib/submissions/fingerprint";
import type { StoredImage } from "@/lib/uploads/schema";

/** A review to be stored, as columns; what the catalogue knows is added by the statement. */
export type NewReview = {
  client_id: string;
  id: string;
  /** equal for the same submission; null where a repetition is no repetition (edits) */
  fingerprint: string | null;
  source: string;
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  product_url: string | null;
  category: string | null;
  author: string;
  author_email: string | null;
  email_key: string | null;
  author_ip: string | null;
  score: number;
  title: string | null;
  extract: string;
  pros: string[];
  cons: string[];
  recommended: boolean | null;
  answers: CustomAnswers;
  lang: string;
  date: string;
  order_id: string | null;
  customer_id: string | null;
  invitation_id: string | null;
  verified_buyer: boolean;
  verified_email: boolean;
  /** `due`: the author's address is to be confirmed before it counts */
  verification: "due" | null;
  terms_agreed_at: string | null;
  terms_version: string | null;
  feedback_token: string;
  images: StoredImage[];
  /** the writer's clock, where it is not the real one */
  clock_at: string | null;
};

/** What became of one of them: the id of the row it is stored in, its own or that of an earlier same one. */
export type Inserted = { id: string; duplicate: boolean };

const given = `given as (
  select * from json_to_recordset($1::json) as g(client_id text, id text, fingerprint text, source text, product_id text,
    family_id text, product_name text, product_url text, category text, author text, author_email text, email_key text,
    author_ip text, score smallint, title text, extract text, pros text[], cons text[], recommended boolean, answers jsonb,
    lang text, date date, order_id text, customer_id text, invitation_id text, verified_buyer boolean,
    verified_email boolean, verification text, terms_agreed_at timestamptz, terms_version text, feedback_token text,
    images jsonb, clock_at timestamptz))`;

// Families follow the catalogue; a name or category given with the submission or its order comes before it. Without an
// order a review has no category.
const stored = `stored as (
  insert into reviews (client_id, id, source, product_id, family_id, product_name, product_url, category, author,
    author_email, email_key, author_ip, score, title, extract, pros, cons, recommended, answers, lang, date, order_id,
    customer_id, invitation_id, verified_buyer, verified_email, verification, terms_agreed_at, terms_version,
    feedback_token, images)
  select g.client_id, g.id, g.source, g.product_id, coalesce(p.family_id, g.family_id), coalesce(g.product_name, p.name),
    coalesce(g.product_url, p.url), case when g.order_id is null then null else coalesce(g.category, p.category) end,
    g.author, g.author_email, g.email_key, g.author_ip, g.score, g.title, g.extract, g.pros, g.cons, g.recommended,
    g.answers, g.lang, g.date, g.order_id, g.customer_id, g.invitation_id, g.verified_buyer, g.verified_email,
    g.verification, g.terms_agreed_at, g.terms_version, g.feedback_token, g.images
  from given g left join products p on p.client_id = g.client_id and p.id = g.product_id
  where g.fingerprint is null
     or exists (select from taken t where t.client_id = g.client_id and t.fingerprint = g.fingerprint and t.subject_id = g.id)
  returning client_id, id)`;

const history = `history as (
  insert into moderation_events (client_id, kind, subject_id, actor_kind, action, to_state)
  select client_id, 'review', id, 'author', 'submitted', 'pending' from stored)`;

const told = `told as (
  insert into outbox (client_id, name, data, clock_at)
  select s.client_id, 'review/submitted', jsonb_build_object('client_id', s.client_id, 'review_id', s.id), g.clock_at
  from stored s join given g on g.client_id = s.client_id and g.id = s.id)`;

// Where the client confirms addresses, the mail that asks follows from this.
const asked = `asked as (
  insert into outbox (client_id, name, data, clock_at)
  select s.client_id, 'verification/due', jsonb_build_object('client_id', s.client_id, 'kind', 'review', 'id', s.id), g.clock_at
  from stored s join given g on g.client_id = s.client_id and g.id = s.id where g.verification = 'due')`;

// One fact for all reviews of a client in the batch: the rules judge them together.
const due = `due as (
  ${itemsDue("review", "select s.client_id, s.id, g.clock_at from stored s join given g on g.client_id = s.client_id and g.id = s.id")})`;

const text = `with ${[given, takenOnce, stored, history, told, asked, due].join(",\n")}
  select client_id, fingerprint, subject_id from taken`;

/**
 * Stores submitted reviews, each with its history entry, its outbox fact and its fingerprint, in one statement: all of
 * them or none. Answers one result for each, in order.
 */
export async function insertReviews(db: Db, reviews: NewReview[]): Promise<Inserted[]> {
  const key = ({ client_id, fingerprint }: Pick<NewReview, "client_id" | "fingerprint">) =>
    `${fingerprint}|${client_id}`;
  const first = new Map<string, NewReview>();
  for (const review of reviews) if (review.fingerprint && !first.has(key(review))) first.set(key(review), review);
  const distinct = reviews.filter((review) => !review.fingerprint || first.get(key(review)) === review);
  const { rows } = await db.query<{ client_id: string; fingerprint: string; subject_id: string }>({
    name: "insert-reviews",
    text,
    values: [storable(distinct)],
  });
  const ids = new Map(rows.map((row) => [key(row), row.subject_id]));
  return reviews.map((review) => {
    const id = ids.get(key(review)) ?? review.id;
    return { id, duplicate: id !== review.id };
  });
}

/** JSON that PostgreSQL reads: half a surrogate pair, which JavaScript's strings may hold, becomes U+FFFD. */
function storable(rows: NewReview[]): string {
  const json = JSON.stringify(rows);
  if (!/\\ud[89a-f]/i.test(json)) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}
