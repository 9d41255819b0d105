import type { Db } from "@/lib/platform/db/pool";
import { itemSaltSql } from "@/lib/reviews/decisions/item-reference";

export type AnsweredQuestion = {
  author_email: string;
  email_key: string;
  verified_email: boolean;
  lang: string | null;
  question: string;
  details: string;
  product_name: string | null;
  product_url: string | null;
  /** Name of the product in the catalog. */
  catalogue_name: string | null;
  catalogue_url: string | null;
  answer_id: string;
  answer_author: string;
  answer: string;
  /** of the question's history, for the receipt; null without one */
  salt: string | null;
};

/** A question whose author is to be emailed its first published answer; null if there is nothing to send. */
export async function selectAnswered(
  db: Db,
  clientId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<AnsweredQuestion | null> {
  if (lock) await db.query("select from questions where client_id = $1 and id = $2 for update", [clientId, id]);
  const { rows } = await db.query<AnsweredQuestion>(
    `select q.author_email, q.email_key, q.verified_email, q.lang, q.question, q.details, q.product_name, q.product_url,
            p.name as catalogue_name, p.url as catalogue_url, a.id as answer_id, a.author as answer_author, a.answer,
            ${itemSaltSql("q.client_id", "'question'", "q.id")} as salt
       from questions q
       join lateral (select id, author, answer from answers
                      where client_id = q.client_id and question_id = q.id and accepted order by created_at, id limit 1) a on true
       left join products p on p.client_id = q.client_id and p.id = q.product_id and not p.deleted
      where q.client_id = $1 and q.id = $2 and q.accepted and q.mail_answer and q.verification is null
        and q.email_key is not null and q.author_email is not null
        and not exists (select from answers m where m.client_id = q.client_id and m.question_id = q.id and m.mailed_at is not null)
        and not exists (select from mails where idempotency_key = 'answer:' || q.client_id || ':' || q.id)`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

export async function markAnswerMailed(db: Db, clientId: string, answerId: string): Promise<void> {
  await db.query("update answers set mailed_at = now() where client_id = $1 and id = $2", [clientId, answerId]);
}
