import { type ClientRow, getClient, storeNow } from "@/lib/accounts/stores/get-client";
import { type EditedKind, type EditSubject, readEditToken } from "@/lib/forms/edit/links";
import { pool } from "@/lib/platform/db/pool";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { type QuestionToEdit, questionToEdit } from "@/lib/reviews/questions/edit-question";
import { type ReviewToEdit, reviewToEdit } from "@/lib/reviews/reviews/edit-review";
import { categoryOf } from "@/lib/reviews/reviews/submit-review";
import { type SellerReviewToEdit, sellerReviewToEdit } from "@/lib/reviews/seller-reviews/edit-seller-review";
import { isAuthor } from "./sql";

/** An editable item with its current content. `category` determines which custom questions are shown. */
export type EditedItem =
  | { kind: "review"; item: ReviewToEdit; category: string | null }
  | { kind: "seller_review"; item: SellerReviewToEdit }
  | { kind: "question"; item: QuestionToEdit };

export type OpenEdit = { about: EditSubject; client: ClientRow; language: Language; edited: EditedItem };

export type EditPage =
  | ({ state: "open" | "expired" } & OpenEdit)
  /** the link is invalid, its item was deleted, or the item's address has changed */
  | { state: "unknown" };

/** Resolves an edit link. Read-only, because email scanners open links too. */
export async function openEdit(token: string): Promise<EditPage> {
  const about = readEditToken(token);
  const client = about && (await getClient(about.clientId));
  const edited = client && (await isAuthor(pool(), about)) && (await find(client, about.kind, about.id));
  if (!client || !edited) return { state: "unknown" };
  return {
    state: storeNow(client) < about.expiresAt ? "open" : "expired",
    about,
    client,
    language: languageOf(edited.item.lang, client.locale),
    edited,
  };
}

async function find(client: ClientRow, kind: EditedKind, id: string): Promise<EditedItem | null> {
  if (kind === "review") {
    const item = await reviewToEdit(client.id, id);
    const { product_id: productId, family_id: familyId } = item ?? { product_id: null, family_id: null };
    return item && { kind, item, category: item.category ?? (await categoryOf(client, { productId, familyId })) };
  }
  if (kind === "seller_review") {
    const item = await sellerReviewToEdit(client.id, id);
    return item && { kind, item };
  }
  const item = await questionToEdit(client.id, id);
  return item && { kind, item };
}
