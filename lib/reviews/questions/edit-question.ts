import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { saveAuthorEdit } from "@/lib/reviews/decisions/save-author-edit";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";

type Texts = { author: string | null; question: string; details: string };
type Stored = Texts & { id: string; accepted: boolean | null; email_key: string | null };

/** A question as its author may edit it. */
export type QuestionToEdit = Stored & {
  product_id: string | null;
  family_id: string | null;
  product_name: string | null;
  lang: string | null;
  reject_reason: string | null;
};

/** What the author of a question may edit, or null. */
export async function questionToEdit(clientId: string, id: string): Promise<QuestionToEdit | null> {
  const { rows } = await pool().query<QuestionToEdit>(
    `select id, author, question, details, accepted, email_key, product_id, family_id, product_name, lang, reject_reason
       from questions where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/**
 * Edits a question in the caller's transaction: it becomes pending, and the old text goes to the history. Its address
 * becomes verified, since the link was emailed there. `changed` is false if nothing differs. Throws `not_found` if it
 * was erased meanwhile.
 */
export async function editQuestion(
  db: PoolClient,
  client: ClientRow,
  id: string,
  { author, question, details }: Texts & { author: string },
): Promise<{ changed: boolean; accepted: boolean | null }> {
  const lang = await languageOfTexts(client, [question, details]);
  const { rows } = await db.query<Stored>(
    `select id, author, question, details, accepted, email_key from questions
      where client_id = $1 and id = $2 for update`,
    [client.id, id],
  );
  const known = rows[0];
  if (!known) throw new AppError("not_found", { reason: "link_dead" });
  const changed = known.author !== author || known.question !== question || known.details !== details;
  if (changed)
    await saveAuthorEdit(db, client, {
      kind: "question",
      id,
      accepted: known.accepted,
      columns: { author, question, details, lang, verified_email: known.email_key !== null },
      texts: { author: known.author, question: known.question, details: known.details },
    });
  return { changed, accepted: known.accepted };
}
