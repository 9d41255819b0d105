import { noteErased } from "@/lib/orders/erased";
import type { Batch } from "@/lib/privacy/batch";
import { removeBelongings } from "@/lib/reviews/contributions/remove-belongings";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import { eraseUploads } from "@/lib/reviews/uploads/erase-uploads";
import {
  deleteInvitations,
  deleteMails,
  deleteMailsTo,
  deleteOrders,
  deleteWritten,
  emptyGoneMails,
  leaveInvitations,
  lockInvitations,
  lockWritten,
  selectAnswerIds,
  type Whose,
} from "./sql";

const written = [
  { table: "reviews", kind: "review", gone: "review_id" },
  { table: "seller_reviews", kind: "seller_review", gone: "seller_review_id" },
  { table: "questions", kind: "question", gone: "question_id" },
] as const;

/**
 * Reviews, seller reviews and questions, with everything that hangs on them. The rows are held first: an edit or a
 * decision under way is over by then, and its history is seen.
 */
export async function removeWritten(batch: Batch, whose: Whose): Promise<void> {
  const { db, clientId, erasureId } = batch;
  for (const { table, kind, gone } of written) {
    if (batch.room <= 0) return;
    const rows = await lockWritten(db, table, clientId, whose, batch.room);
    if (rows.length === 0) continue;
    const ids = rows.map(({ id }) => id);
    if (kind === "question") await eraseHistory(db, clientId, "answer", await selectAnswerIds(db, clientId, ids));
    await deleteWritten(db, table, clientId, ids);
    await removeBelongings(db, clientId, kind, rows);
    batch.note("images", await eraseUploads(db, clientId, kind, ids, erasureId));
    batch.gone[gone].push(...ids);
    batch.take(table, ids.length);
  }
}

/**
 * Invitations with their mails. One that asks for another customer's items as well (they share an address) is left to
 * that one; its mail goes, and is written anew where it had not gone out. Where nobody knows whether it has, it stays,
 * without its words: written anew, it could be a second one.
 */
export async function removeInvitations(batch: Batch, whose: Whose): Promise<void> {
  const { db, clientId } = batch;
  if (batch.room <= 0) return;
  const invitations = await lockInvitations(db, clientId, whose, batch.room);
  if (invitations.length === 0) return;
  const left = invitations.filter(({ heir }) => heir !== null);
  const ids = invitations.flatMap(({ id, heir }) => (heir === null ? [id] : []));
  const mailIds = (rows: typeof invitations) => rows.flatMap(({ mail_id }) => mail_id ?? []);
  const staying = await emptyGoneMails(db, clientId, mailIds(left));
  if ("customer" in whose && left.length > 0) await leaveInvitations(db, clientId, whose.customer, left, staying);
  await deleteInvitations(db, clientId, ids);
  const mails = await deleteMails(
    db,
    clientId,
    mailIds(invitations).filter((id) => !staying.has(id)),
  );
  batch.gone.invitation_id.push(...ids);
  batch.gone.mail_id.push(...mails);
  batch.note("mails", mails.length);
  batch.take("invitations", invitations.length);
}

/** Mails to these addresses; with `customer` none that is another customer's invitation. */
export async function removeMails(batch: Batch, addresses: string[], customer: string | null): Promise<void> {
  if (batch.room <= 0) return;
  const ids = await deleteMailsTo(batch.db, batch.clientId, addresses, customer, batch.room);
  batch.gone.mail_id.push(...ids);
  batch.take("mails", ids.length);
}

/** Orders with their items. Feeds and shops that tell of them again do not bring them back. */
export async function removeOrders(batch: Batch, customer: string): Promise<void> {
  const { db, clientId } = batch;
  if (batch.room <= 0) return;
  const ids = await deleteOrders(db, clientId, customer, batch.room);
  await noteErased(db, clientId, "order", ids);
  batch.gone.order_id.push(...ids);
  batch.take("orders", ids.length);
}
