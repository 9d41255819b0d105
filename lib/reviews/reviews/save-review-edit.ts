import { isDeepStrictEqual } from "node:util";
import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { saveAuthorEdit } from "@/lib/reviews/decisions/save-author-edit";
import type { StoredReview } from "@/lib/reviews/reviews/review-row";

/** Columns an author's edit replaces. */
const edited = [
  "author",
  "score",
  "title",
  "extract",
  "pros",
  "cons",
  "recommended",
  "answers",
  "lang",
  "images",
] as const;

export type EditedColumn = (typeof edited)[number];

/** A review's content, as columns. */
export type ReviewTexts = Pick<StoredReview, EditedColumn>;
/** The content of a stored review. */
export type StoredTexts = Pick<StoredReview, EditedColumn | "id" | "accepted">;

/** The columns of {@link StoredTexts}, for a select. */
export const textColumns = ["id", "accepted", ...edited].join(", ");

/** True if an edit would change nothing. */
export const isUnchanged = (existing: StoredTexts, texts: ReviewTexts): boolean =>
  edited.every((column) => isDeepStrictEqual(existing[column], texts[column]));

/**
 * Saves an author's edit of a review; `more` are further columns, `incentivized` only if it becomes so. See
 * {@link saveAuthorEdit}.
 */
export function saveReviewEdit(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  existing: StoredTexts,
  texts: ReviewTexts,
  more: { verified_email?: boolean; incentivized?: true } = {},
): Promise<void> {
  const { id, accepted, author, score, title, extract, pros, cons } = existing;
  const columns = edited.map((name) => [
    name,
    name === "answers" || name === "images" ? JSON.stringify(texts[name]) : texts[name],
  ]);
  return saveAuthorEdit(db, client, {
    kind: "review",
    id,
    accepted,
    columns: { ...Object.fromEntries(columns), ...more },
    texts: { author, score, title, extract, pros, cons, ...(more.incentivized ? { incentivized: false } : {}) },
  });
}
