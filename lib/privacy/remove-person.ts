import { forgetPerson } from "@/lib/integrations/delta-share/forget-person";
import { forgetRefused } from "@/lib/integrations/import-outcomes";
import { forgetQuarantines } from "@/lib/invitations/forget-quarantines";
import { holdImports, noteErased, noteShop } from "@/lib/orders/erased";
import { forgetAnswers } from "@/lib/platform/http/forget-answers";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { forgetFacts } from "@/lib/platform/jobs/outbox/forget-facts";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";
import type { Batch } from "@/lib/privacy/batch";
import type { Person } from "@/lib/privacy/person";
import { removeInvitations, removeMails, removeOrders, removeWritten } from "@/lib/privacy/remove-rows";
import {
  deleteAddresses,
  deleteCustomer,
  deleteDeliveries,
  deleteLinksTo,
  deleteViewsOf,
  holdTold,
  lockCustomer,
  selectAddresses,
  selectCustomerWith,
  selectShared,
  type Whose,
} from "./sql";

/** Addresses of one customer that are looked after together. */
const ADDRESSES = 100;

/**
 * Takes a person's rows (decisions 5 says which) as far as the batch has room, and everything that is kept about what it
 * took. What is left is found anew each time, so it does not matter where an earlier batch ended, or died. Answers
 * whether nothing is left.
 */
export async function removePerson(batch: Batch, person: Person): Promise<boolean> {
  await holdImports(batch.db, batch.clientId);
  const whole =
    person.by === "customer" ? await removeCustomer(batch, person.id) : await removeEmail(batch, person.email);
  await forgetGone(batch);
  return whole;
}

/** Customers who have or had the address, one by one, then whatever else carries it. */
async function removeEmail(batch: Batch, email: string): Promise<boolean> {
  const { db, clientId } = batch;
  await forgetTold(batch, { email });
  while (batch.room > 0) {
    const customer = await selectCustomerWith(db, clientId, email);
    if (customer === null) break;
    if (!(await removeCustomer(batch, customer))) return false;
  }
  const anything: Whose = { addresses: [email], of: "anybody" };
  await removeInvitations(batch, anything);
  await removeWritten(batch, anything);
  await removeMails(batch, [email], null);
  if (batch.room <= 0) return false;
  const hash = personHash(clientId, "email", email);
  await forgetCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [email] });
  batch.note("copies", await deleteLinksTo(db, clientId, [email]));
  return true;
}

/**
 * Invitations before texts: a form that is being sent holds its invitation, and what it stores is seen after that. Mails
 * after texts: who writes a mail about one holds it.
 */
async function removeCustomer(batch: Batch, id: string): Promise<boolean> {
  const { db, clientId } = batch;
  await forgetTold(batch, { customer: id });
  const customer = await lockCustomer(db, clientId, id);
  await removeInvitations(batch, { customer: id });
  await removeWritten(batch, { customer: id });
  await removeOrders(batch, id);
  while (batch.room > 0) {
    const addresses = await selectAddresses(db, clientId, id, ADDRESSES);
    if (addresses.length === 0) break;
    if (!(await removeAddresses(batch, id, addresses))) return false;
    await deleteAddresses(db, clientId, id, addresses);
  }
  if (customer?.email_key) await removeAddresses(batch, id, [customer.email_key]);
  if (batch.room <= 0) return false;
  const hash = personHash(clientId, "customer", id);
  await forgetCopies(batch, { answers: [[hash], []], quarantines: [hash], values: [id] });
  batch.gone.customer_id.push(id);
  if (customer) {
    await deleteCustomer(db, clientId, id);
    batch.take("customers", 1);
  }
  return true;
}

/**
 * What is being read of the person at this moment stays away (see erased.ts), and what a data share told goes. Before all
 * else: whoever stores that holds its contacts first and customers after them, so what was faster is seen by what follows.
 */
async function forgetTold(batch: Batch, whose: { customer: string } | { email: string }): Promise<void> {
  const { db, clientId } = batch;
  if ("customer" in whose) await noteErased(db, clientId, "customer", [whose.customer]);
  else await noteErased(db, clientId, "email", [whose.email]);
  batch.note("copies", await forgetRefused(db, clientId, whose));
  batch.note("copies", await forgetPerson(db, clientId, whose));
}

/** What carries a customer's addresses and names no customer; of others who share an address nothing. */
async function removeAddresses(batch: Batch, customer: string, addresses: string[]): Promise<boolean> {
  const { db, clientId } = batch;
  await noteErased(db, clientId, "address", addresses);
  const nobodys: Whose = { addresses, of: "nobody" };
  await removeInvitations(batch, nobodys);
  await removeWritten(batch, nobodys);
  await removeMails(batch, addresses, customer);
  if (batch.room <= 0) return false;
  const shared = await selectShared(db, clientId, customer, addresses);
  const own = addresses.filter((address) => !shared.has(address));
  const hashesOf = (list: string[]) => list.map((address) => personHash(clientId, "email", address));
  await forgetCopies(batch, {
    answers: [[personHash(clientId, "customer", customer)], hashesOf(addresses)],
    quarantines: hashesOf(own),
    values: own,
  });
  batch.note("copies", await deleteLinksTo(db, clientId, own));
  return true;
}

/**
 * Copies that are kept under who somebody is: answers to repeated requests (see forgetAnswers), quarantines by hash, and
 * what the portal's people look for, by a customer's id or an address as it is compared.
 */
async function forgetCopies(
  batch: Batch,
  kept: { answers: [hashes: string[], alone: string[]]; quarantines: string[]; values: string[] },
): Promise<void> {
  const { db, clientId } = batch;
  batch.note("copies", await forgetAnswers(db, ...kept.answers));
  await forgetQuarantines(db, clientId, kept.quarantines);
  const isMeant = (value: string) => kept.values.includes(value) || kept.values.includes(emailKey(value));
  batch.note("copies", await deleteViewsOf(db, clientId, isMeant));
}

/** Copies that are kept under what went: facts, the runs they started, deliveries. What others must hear of it follows. */
async function forgetGone(batch: Batch): Promise<void> {
  const { db, clientId, gone } = batch;
  if (Object.values(gone).every((ids) => ids.length === 0)) return;
  await holdTold(db, clientId, gone); // facts that are taken back take what is told of them along
  batch.note("copies", await forgetFacts(db, clientId, gone));
  const { count, remote, brought } = await deleteDeliveries(db, clientId, gone);
  if (brought) await noteShop(db, clientId, brought);
  batch.note("copies", count);
  const client = { client_id: clientId };
  await enqueue(db, [
    ...gone.review_id.map((review_id) => ({ name: "review/deleted" as const, data: { ...client, review_id } })),
    ...gone.seller_review_id.map((seller_review_id) => ({
      name: "seller_review/deleted" as const,
      data: { ...client, seller_review_id },
    })),
    ...gone.question_id.map((question_id) => ({ name: "question/deleted" as const, data: { ...client, question_id } })),
    ...(remote.length > 0 ? [{ name: "engagement/orphaned" as const, data: { ...client, remote } }] : []),
  ]);
}
