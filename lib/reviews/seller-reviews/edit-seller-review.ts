import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { saveAuthorEdit } from "@/lib/reviews/decisions/save-author-edit";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";

type Texts = { author: string | null; score: number; title: string | null; extract: string };
export type StoredSellerReview = Texts & { id: string; accepted: boolean | null };
/** A seller review as its author may edit it. */
export type SellerReviewToEdit = StoredSellerReview & { lang: string | null; reject_reason: string | null };

const columns = "id, author, score, title, extract, accepted";

/** What the author of a seller review may edit, or null. */
export async function sellerReviewToEdit(clientId: string, id: string): Promise<SellerReviewToEdit | null> {
  const { rows } = await pool().query<SellerReviewToEdit>(
    `select ${columns}, lang, reject_reason from seller_reviews where client_id = $1 and id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}

/**
 * Edits a seller review in the caller's transaction: it becomes pending, and the old text goes to the history. Returns
 * false if nothing differs. Throws `not_found` if it was erased meanwhile.
 */
export async function editSellerReview(
  db: PoolClient,
  client: ClientRow,
  id: string,
  texts: Texts & { author: string },
): Promise<{ changed: boolean; accepted: boolean | null }> {
  const lang = await languageOfTexts(client, [texts.title, texts.extract]);
  const { rows } = await db.query<StoredSellerReview>(
    `select ${columns} from seller_reviews where client_id = $1 and id = $2 for update`,
    [client.id, id],
  );
  const known = rows[0];
  if (!known) throw new AppError("not_found", { reason: "link_dead" });
  const { author, score, title, extract } = texts;
  const changed =
    known.author !== author || known.score !== score || known.title !== title || known.extract !== extract;
  if (changed) await saveSellerReviewEdit(db, client, known, { ...texts, lang });
  return { changed, accepted: known.accepted };
}

/** Saves an author's edit of a seller review, which `mark` makes incentivized; see {@link saveAuthorEdit}. */
export const saveSellerReviewEdit = (
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  { id, accepted, author, score, title, extract }: StoredSellerReview,
  texts: Texts & { lang: string | null },
  mark: { incentivized?: true } = {},
): Promise<void> =>
  saveAuthorEdit(db, client, {
    kind: "seller_review",
    id,
    accepted,
    columns: {
      author: texts.author,
      score: texts.score,
      title: texts.title,
      extract: texts.extract,
      lang: texts.lang,
      ...mark,
    },
    texts: { author, score, title, extract, ...(mark.incentivized ? { incentivized: false } : {}) },
  });
