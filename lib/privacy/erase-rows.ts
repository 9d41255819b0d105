import { recordErased } from "@/lib/orders/erased-hashes";
import type { ErasureBatch } from "@/lib/privacy/erasure-batch";
import { deleteDependents } from "@/lib/reviews/contributions/delete-dependents";
import { eraseHistory } from "@/lib/reviews/decisions/erase-history";
import { eraseUploads } from "@/lib/reviews/uploads/erase-uploads";
import {
  clearSentMails,
  deleteContributions,
  deleteInvitations,
  deleteMails,
  deleteMailsTo,
  deleteOrders,
  lockContributions,
  lockInvitations,
  type RowOwner,
  reassignInvitations,
  selectAnswerIds,
} from "./sql";

const contributionTables = [
  { table: "reviews", kind: "review", gone: "review_id" },
  { table: "seller_reviews", kind: "seller_review", gone: "seller_review_id" },
  { table: "questions", kind: "question", gone: "question_id" },
] as const;

/**
 * Erases reviews, seller reviews and questions with their dependents. Locks the rows first, so concurrent edits and
 * decisions are finished and their history is visible.
 */
export async function eraseContributions(batch: ErasureBatch, owner: RowOwner): Promise<void> {
  const { db, clientId, erasureId } = batch;
  for (const { table, kind, gone: idName } of contributionTables) {
    if (batch.remaining <= 0) return;
    const rows = await lockContributions(db, table, clientId, owner, batch.remaining);
    if (rows.length === 0) continue;
    const ids = rows.map(({ id }) => id);
    if (kind === "question") await eraseHistory(db, clientId, "answer", await selectAnswerIds(db, clientId, ids));
    await deleteContributions(db, table, clientId, ids);
    await deleteDependents(db, clientId, kind, rows, { action: "erased", actor: { kind: "system", id: null } });
    batch.addErased("images", await eraseUploads(db, clientId, kind, ids, erasureId));
    batch.erasedIds[idName].push(...ids);
    batch.countErased(table, ids.length);
  }
}

/**
 * Erases invitations with their emails. An invitation that also asks about another customer's items (they share an
 * address) passes to that customer; its email is deleted and, if not sent yet, written again. If it may have been sent,
 * it stays without its text, since writing it again could send it twice.
 */
export async function eraseInvitations(batch: ErasureBatch, owner: RowOwner): Promise<void> {
  const { db, clientId } = batch;
  if (batch.remaining <= 0) return;
  const invitations = await lockInvitations(db, clientId, owner, batch.remaining);
  if (invitations.length === 0) return;
  const invitationsToReassign = invitations.filter(({ heir }) => heir !== null);
  const ids = invitations.flatMap(({ id, heir }) => (heir === null ? [id] : []));
  const mailIds = (rows: typeof invitations) => rows.flatMap(({ mail_id }) => mail_id ?? []);
  const retainedMailIds = await clearSentMails(db, clientId, mailIds(invitationsToReassign));
  if ("customer" in owner && invitationsToReassign.length > 0)
    await reassignInvitations(db, clientId, owner.customer, invitationsToReassign, retainedMailIds);
  await deleteInvitations(db, clientId, ids);
  const mails = await deleteMails(
    db,
    clientId,
    mailIds(invitations).filter((id) => !retainedMailIds.has(id)),
  );
  batch.erasedIds.invitation_id.push(...ids);
  batch.erasedIds.mail_id.push(...mails);
  batch.addErased("mails", mails.length);
  batch.countErased("invitations", invitations.length);
}

/** Erases emails to these addresses; with `customer`, not those for another customer's invitation. */
export async function eraseMails(batch: ErasureBatch, addresses: string[], customer: string | null): Promise<void> {
  if (batch.remaining <= 0) return;
  const ids = await deleteMailsTo(batch.db, batch.clientId, addresses, customer, batch.remaining);
  batch.erasedIds.mail_id.push(...ids);
  batch.countErased("mails", ids.length);
}

/** Erases orders with their items, and records them so that feeds and integrations don't bring them back. */
export async function eraseOrders(batch: ErasureBatch, customer: string): Promise<void> {
  const { db, clientId } = batch;
  if (batch.remaining <= 0) return;
  const ids = await deleteOrders(db, clientId, customer, batch.remaining);
  await recordErased(db, clientId, "order", ids);
  batch.erasedIds.order_id.push(...ids);
  batch.countErased("orders", ids.length);
}
