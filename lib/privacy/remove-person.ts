import { deletePersonRows } from "@/lib/integrations/delta-share/delete-person";
import { deleteRefusedOrders } from "@/lib/integrations/import-outcomes";
import { expireQuarantines } from "@/lib/invitations/expire-quarantines";
import { blockImports, recordErased, recordLastImport } from "@/lib/orders/erased";
import { deleteStoredResponses } from "@/lib/platform/http/stored-responses";
import { deleteOutboxEvents } from "@/lib/platform/jobs/outbox/delete-events";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import type { ErasureBatch } from "@/lib/privacy/erasure-batch";
import type { Person } from "@/lib/privacy/person";
import { removeContributions, removeInvitations, removeMails, removeOrders } from "@/lib/privacy/remove-rows";
import {
  deleteAddresses,
  deleteCustomer,
  deleteDeliveries,
  deleteLinksTo,
  deleteViewsOf,
  lockCustomer,
  lockWebhookDeliveries,
  type RowOwner,
  selectAddresses,
  selectCustomerWith,
  selectSharedAddresses,
} from "./sql";

/** Addresses of one customer to process together. */
const MAX_ADDRESSES = 100;

/**
 * Removes a person's rows up to the batch's limit, with all copies of them. Finds the remaining rows
 * again each time, so it doesn't matter where an earlier batch ended or died. Returns true if nothing is left.
 */
export async function removePerson(batch: ErasureBatch, person: Person): Promise<boolean> {
  await blockImports(batch.db, batch.clientId);
  const isComplete =
    person.by === "customer" ? await removeCustomer(batch, person.id) : await removeEmail(batch, person.email);
  await deleteEventsOfRemoved(batch);
  return isComplete;
}

/** Removes customers who have or had the address, one by one, then everything else with it. */
async function removeEmail(batch: ErasureBatch, email: string): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErasure(batch, { email });
  while (batch.remaining > 0) {
    const customer = await selectCustomerWith(db, clientId, email);
    if (customer === null) break;
    if (!(await removeCustomer(batch, customer))) return false;
  }
  const anyOwner: RowOwner = { addresses: [email], of: "anybody" };
  await removeInvitations(batch, anyOwner);
  await removeContributions(batch, anyOwner);
  await removeMails(batch, [email], null);
  if (batch.remaining <= 0) return false;
  const hash = personHash(clientId, "email", email);
  await deleteCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [email] });
  batch.addRemoved("copies", await deleteLinksTo(db, clientId, [email]));
  return true;
}

/**
 * Invitations before texts: submitting a form locks its invitation, so its texts are visible afterwards. Emails after
 * texts: writing an email about a text locks the text.
 */
async function removeCustomer(batch: ErasureBatch, id: string): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErasure(batch, { customer: id });
  const customer = await lockCustomer(db, clientId, id);
  await removeInvitations(batch, { customer: id });
  await removeContributions(batch, { customer: id });
  await removeOrders(batch, id);
  while (batch.remaining > 0) {
    const addresses = await selectAddresses(db, clientId, id, MAX_ADDRESSES);
    if (addresses.length === 0) break;
    if (!(await removeAddresses(batch, id, addresses))) return false;
    await deleteAddresses(db, clientId, id, addresses);
  }
  if (customer?.email_key) await removeAddresses(batch, id, [customer.email_key]);
  if (batch.remaining <= 0) return false;
  const hash = personHash(clientId, "customer", id);
  await deleteCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [id] });
  batch.removedIds.customer_id.push(id);
  if (customer) {
    await deleteCustomer(db, clientId, id);
    batch.countRemoved("customers", 1);
  }
  return true;
}

/**
 * Blocks data about the person that is being read now (see `erased.ts`), and deletes their data share rows. Must run
 * first: storing share rows locks contacts before customers, so what was stored earlier is visible to the following
 * statements.
 */
async function recordErasure(batch: ErasureBatch, owner: { customer: string } | { email: string }): Promise<void> {
  const { db, clientId } = batch;
  if ("customer" in owner) await recordErased(db, clientId, "customer", [owner.customer]);
  else await recordErased(db, clientId, "email", [owner.email]);
  batch.addRemoved("copies", await deleteRefusedOrders(db, clientId, owner));
  batch.addRemoved("copies", await deletePersonRows(db, clientId, owner));
}

/** Removes rows with a customer's addresses and without a customer id, but no rows of others who share an address. */
async function removeAddresses(batch: ErasureBatch, customer: string, addresses: string[]): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErased(db, clientId, "address", addresses);
  const withoutCustomer: RowOwner = { addresses, of: "nobody" };
  await removeInvitations(batch, withoutCustomer);
  await removeContributions(batch, withoutCustomer);
  await removeMails(batch, addresses, customer);
  if (batch.remaining <= 0) return false;
  const shared = await selectSharedAddresses(db, clientId, customer, addresses);
  const own = addresses.filter((address) => !shared.has(address));
  const hashesOf = (list: string[]) => list.map((address) => personHash(clientId, "email", address));
  await deleteCopies(batch, {
    answers: [[personHash(clientId, "customer", customer)], hashesOf(addresses)],
    quarantines: hashesOf(own),
    values: own,
  });
  batch.addRemoved("copies", await deleteLinksTo(db, clientId, own));
  return true;
}

/**
 * Removes copies keyed by the person: stored responses to repeated requests (see `deleteStoredResponses`), cooldowns by
 * hash, and saved views that filter by the customer id or normalized address.
 */
async function deleteCopies(
  batch: ErasureBatch,
  keys: { answers: [hashes: string[], alone: string[]]; quarantines: string[]; values: string[] },
): Promise<void> {
  const { db, clientId } = batch;
  batch.addRemoved("copies", await deleteStoredResponses(db, ...keys.answers));
  await expireQuarantines(db, clientId, keys.quarantines);
  const isMatch = (value: string) => keys.values.includes(value) || keys.values.includes(emailKey(value));
  batch.addRemoved("copies", await deleteViewsOf(db, clientId, isMatch));
}

/**
 * Deletes copies keyed by removed ids (outbox events, the runs they started, deliveries), and enqueues events about the
 * deletion.
 */
async function deleteEventsOfRemoved(batch: ErasureBatch): Promise<void> {
  const { db, clientId, removedIds } = batch;
  if (Object.values(removedIds).every((ids) => ids.length === 0)) return;
  await lockWebhookDeliveries(db, clientId, removedIds); // Deleting outbox events also deletes their webhook deliveries.
  batch.addRemoved("copies", await deleteOutboxEvents(db, clientId, removedIds));
  const { count, remote, lastImportedAt } = await deleteDeliveries(db, clientId, removedIds);
  if (lastImportedAt) await recordLastImport(db, clientId, lastImportedAt);
  batch.addRemoved("copies", count);
  const client = { client_id: clientId };
  await enqueue(db, [
    ...removedIds.review_id.map((review_id) => ({ name: "review/deleted" as const, data: { ...client, review_id } })),
    ...removedIds.seller_review_id.map((seller_review_id) => ({
      name: "seller_review/deleted" as const,
      data: { ...client, seller_review_id },
    })),
    ...removedIds.question_id.map((question_id) => ({
      name: "question/deleted" as const,
      data: { ...client, question_id },
    })),
    ...(remote.length > 0 ? [{ name: "engagement/orphaned" as const, data: { ...client, remote } }] : []),
  ]);
}
