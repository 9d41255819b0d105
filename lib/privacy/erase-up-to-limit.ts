import { deletePersonRows } from "@/lib/integrations/delta-share/delete-person";
import { deleteRefusedOrders } from "@/lib/integrations/import-outcomes";
import { eraseQuarantines } from "@/lib/invitations/erase-quarantines";
import { blockImports, recordErased, recordLastImport } from "@/lib/orders/erased-hashes";
import { deleteStoredResponses } from "@/lib/platform/http/stored-responses";
import { deleteOutboxEvents } from "@/lib/platform/jobs/outbox/delete-events";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import { eraseContributions, eraseInvitations, eraseMails, eraseOrders } from "@/lib/privacy/erase-rows";
import type { ErasureBatch } from "@/lib/privacy/erasure-batch";
import type { Person } from "@/lib/privacy/person";
import {
  deleteAddresses,
  deleteCustomer,
  deleteDeliveries,
  deleteLinksTo,
  deleteViewsOf,
  forgetReporters,
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
 * Erases a person's rows up to the batch's limit, with all copies of them. Finds the remaining rows
 * again each time, so it doesn't matter where an earlier batch ended or died. Returns true if nothing is left.
 */
export async function eraseUpToLimit(batch: ErasureBatch, person: Person): Promise<boolean> {
  await blockImports(batch.db, batch.clientId);
  const isComplete =
    person.by === "customer" ? await eraseCustomer(batch, person.id) : await eraseEmail(batch, person.email);
  await eraseEventsOfErased(batch);
  return isComplete;
}

/** Erases customers who have or had the address, one by one, then everything else with it. */
async function eraseEmail(batch: ErasureBatch, email: string): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErasure(batch, { email });
  while (batch.remaining > 0) {
    const customer = await selectCustomerWith(db, clientId, email);
    if (customer === null) break;
    if (!(await eraseCustomer(batch, customer))) return false;
  }
  const anyOwner: RowOwner = { addresses: [email], of: "anybody" };
  await eraseInvitations(batch, anyOwner);
  await eraseContributions(batch, anyOwner);
  await eraseMails(batch, [email], null);
  if (batch.remaining <= 0) return false;
  const hash = personHash(clientId, "email", email);
  await eraseCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [email] });
  batch.addErased("copies", await deleteLinksTo(db, clientId, [email]));
  batch.addErased("copies", await forgetReporters(db, clientId, [email]));
  return true;
}

/**
 * Invitations before texts: submitting a form locks its invitation, so its texts are visible afterwards. Emails after
 * texts: writing an email about a text locks the text.
 */
async function eraseCustomer(batch: ErasureBatch, id: string): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErasure(batch, { customer: id });
  const customer = await lockCustomer(db, clientId, id);
  await eraseInvitations(batch, { customer: id });
  await eraseContributions(batch, { customer: id });
  await eraseOrders(batch, id);
  while (batch.remaining > 0) {
    const addresses = await selectAddresses(db, clientId, id, MAX_ADDRESSES);
    if (addresses.length === 0) break;
    if (!(await eraseAddresses(batch, id, addresses))) return false;
    await deleteAddresses(db, clientId, id, addresses);
  }
  if (customer?.email_key) await eraseAddresses(batch, id, [customer.email_key]);
  if (batch.remaining <= 0) return false;
  const hash = personHash(clientId, "customer", id);
  await eraseCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [id] });
  batch.erasedIds.customer_id.push(id);
  if (customer) {
    await deleteCustomer(db, clientId, id);
    batch.countErased("customers", 1);
  }
  return true;
}

/**
 * Blocks data about the person that is being read now (see `erased-hashes.ts`), and erases their data share rows. Must
 * run first: storing share rows locks contacts before customers, so what was stored earlier is visible to the following
 * statements.
 */
async function recordErasure(batch: ErasureBatch, owner: { customer: string } | { email: string }): Promise<void> {
  const { db, clientId } = batch;
  if ("customer" in owner) await recordErased(db, clientId, "customer", [owner.customer]);
  else await recordErased(db, clientId, "email", [owner.email]);
  batch.addErased("copies", await deleteRefusedOrders(db, clientId, owner));
  batch.addErased("copies", await deletePersonRows(db, clientId, owner));
}

/** Erases rows with a customer's addresses and without a customer id, but no rows of others who share an address. */
async function eraseAddresses(batch: ErasureBatch, customer: string, addresses: string[]): Promise<boolean> {
  const { db, clientId } = batch;
  await recordErased(db, clientId, "address", addresses);
  const withoutCustomer: RowOwner = { addresses, of: "nobody" };
  await eraseInvitations(batch, withoutCustomer);
  await eraseContributions(batch, withoutCustomer);
  await eraseMails(batch, addresses, customer);
  if (batch.remaining <= 0) return false;
  const shared = await selectSharedAddresses(db, clientId, customer, addresses);
  const own = addresses.filter((address) => !shared.has(address));
  const hashesOf = (list: string[]) => list.map((address) => personHash(clientId, "email", address));
  await eraseCopies(batch, {
    answers: [[personHash(clientId, "customer", customer)], hashesOf(addresses)],
    quarantines: hashesOf(own),
    values: own,
  });
  batch.addErased("copies", await deleteLinksTo(db, clientId, own));
  batch.addErased("copies", await forgetReporters(db, clientId, own));
  return true;
}

/**
 * Erases copies keyed by the person: stored responses to repeated requests (see `deleteStoredResponses`), cooldowns by
 * hash, and saved views that filter by the customer id or normalized address.
 */
async function eraseCopies(
  batch: ErasureBatch,
  keys: { answers: [hashes: string[], alone: string[]]; quarantines: string[]; values: string[] },
): Promise<void> {
  const { db, clientId } = batch;
  batch.addErased("copies", await deleteStoredResponses(db, ...keys.answers));
  await eraseQuarantines(db, clientId, keys.quarantines);
  const isMatch = (value: string) => keys.values.includes(value) || keys.values.includes(emailKey(value));
  batch.addErased("copies", await deleteViewsOf(db, clientId, isMatch));
}

/**
 * Erases copies keyed by erased ids (outbox events, the runs they started, deliveries), and enqueues events about the
 * erasure.
 */
async function eraseEventsOfErased(batch: ErasureBatch): Promise<void> {
  const { db, clientId, erasedIds } = batch;
  if (Object.values(erasedIds).every((ids) => ids.length === 0)) return;
  await lockWebhookDeliveries(db, clientId, erasedIds); // Deleting outbox events also deletes their webhook deliveries.
  batch.addErased("copies", await deleteOutboxEvents(db, clientId, erasedIds));
  const { count, remote, lastImportedAt } = await deleteDeliveries(db, clientId, erasedIds);
  if (lastImportedAt) await recordLastImport(db, clientId, lastImportedAt);
  batch.addErased("copies", count);
  const client = { client_id: clientId };
  await enqueue(db, [
    ...erasedIds.review_id.map((review_id) => ({ name: "review/deleted" as const, data: { ...client, review_id } })),
    ...erasedIds.seller_review_id.map((seller_review_id) => ({
      name: "seller_review/deleted" as const,
      data: { ...client, seller_review_id },
    })),
    ...erasedIds.question_id.map((question_id) => ({
      name: "question/deleted" as const,
      data: { ...client, question_id },
    })),
    ...(remote.length > 0 ? [{ name: "engagement/orphaned" as const, data: { ...client, remote } }] : []),
  ]);
}
