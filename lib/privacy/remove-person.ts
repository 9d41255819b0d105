import { deletePersonRows } from "@/lib/integrations/delta-share/delete-person";
import { deleteRefusedOrders } from "@/lib/integrations/import-outcomes";
import { expireQuarantines } from "@/lib/invitations/expire-quarantines";
import { blockImports, recordErased, recordShopImport } from "@/lib/orders/erased";
import { deleteStoredResponses } from "@/lib/platform/http/stored-responses";
import { deleteOutboxEvents } from "@/lib/platform/jobs/outbox/delete-events";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import type { Batch } from "@/lib/privacy/batch";
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
  selectShared,
} from "./sql";

/** Addresses of one customer that are looked after together. */
const ADDRESSES = 100;

/**
 * Takes a person's rows (decisions 5 says which) as far as the batch has room, and everything that is kept about what it
 * took. What is left is found anew each time, so it does not matter where an earlier batch ended, or died. Answers
 * whether nothing is left.
 */
export async function removePerson(batch: Batch, person: Person): Promise<boolean> {
  await blockImports(batch.db, batch.clientId);
  const whole =
    person.by === "customer" ? await removeCustomer(batch, person.id) : await removeEmail(batch, person.email);
  await deleteEventsOfRemoved(batch);
  return whole;
}

/** Customers who have or had the address, one by one, then whatever else carries it. */
async function removeEmail(batch: Batch, email: string): Promise<boolean> {
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
 * Invitations before texts: a form that is being sent holds its invitation, and what it stores is seen after that. Mails
 * after texts: who writes a mail about one holds it.
 */
async function removeCustomer(batch: Batch, id: string): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErasure(batch, { customer: id });
  const customer = await lockCustomer(db, clientId, id);
  await removeInvitations(batch, { customer: id });
  await removeContributions(batch, { customer: id });
  await removeOrders(batch, id);
  while (batch.remaining > 0) {
    const addresses = await selectAddresses(db, clientId, id, ADDRESSES);
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
 * What is being read of the person at this moment stays away (see erased.ts), and what a data share told goes. Before all
 * else: whoever stores that holds its contacts first and customers after them, so what was faster is seen by what follows.
 */
async function recordErasure(batch: Batch, whose: { customer: string } | { email: string }): Promise<void> {
  const { db, clientId } = batch;
  if ("customer" in whose) await recordErased(db, clientId, "customer", [whose.customer]);
  else await recordErased(db, clientId, "email", [whose.email]);
  batch.addRemoved("copies", await deleteRefusedOrders(db, clientId, whose));
  batch.addRemoved("copies", await deletePersonRows(db, clientId, whose));
}

/** What carries a customer's addresses and names no customer; of others who share an address nothing. */
async function removeAddresses(batch: Batch, customer: string, addresses: string[]): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErased(db, clientId, "address", addresses);
  const withoutCustomer: RowOwner = { addresses, of: "nobody" };
  await removeInvitations(batch, withoutCustomer);
  await removeContributions(batch, withoutCustomer);
  await removeMails(batch, addresses, customer);
  if (batch.remaining <= 0) return false;
  const shared = await selectShared(db, clientId, customer, addresses);
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
 * Copies that are kept under who somebody is: answers to repeated requests (see deleteStoredResponses), quarantines by hash, and
 * what the portal's people look for, by a customer's id or an address as it is compared.
 */
async function deleteCopies(
  batch: Batch,
  kept: { answers: [hashes: string[], alone: string[]]; quarantines: string[]; values: string[] },
): Promise<void> {
  const { db, clientId } = batch;
  batch.addRemoved("copies", await deleteStoredResponses(db, ...kept.answers));
  await expireQuarantines(db, clientId, kept.quarantines);
  const isMatch = (value: string) => kept.values.includes(value) || kept.values.includes(emailKey(value));
  batch.addRemoved("copies", await deleteViewsOf(db, clientId, isMatch));
}

/** Copies that are kept under what went: facts, the runs they started, deliveries. What others must hear of it follows. */
async function deleteEventsOfRemoved(batch: Batch): Promise<void> {
  const { db, clientId, removedIds } = batch;
  if (Object.values(removedIds).every((ids) => ids.length === 0)) return;
  await lockWebhookDeliveries(db, clientId, removedIds); // facts that are taken back take what is told of them along
  batch.addRemoved("copies", await deleteOutboxEvents(db, clientId, removedIds));
  const { count, remote, brought } = await deleteDeliveries(db, clientId, removedIds);
  if (brought) await recordShopImport(db, clientId, brought);
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
