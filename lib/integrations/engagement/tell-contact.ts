import { type Aggregates, aggregatesOf, cleared } from "@/lib/integrations/engagement/aggregates";
import { type Engagement, isDone, isMissing, part } from "@/lib/integrations/engagement/client";
import { asDeliveryError, DeliveryError, faultOf } from "@/lib/integrations/engagement/delivery-error";
import { digestOf, interactionsOf, isSame, type Posted, payloadOf } from "@/lib/integrations/engagement/interactions";
import type { Timing } from "@/lib/integrations/engagement/timing";
import { rememberState } from "@/lib/integrations/record-run";
import type { Opened } from "@/lib/integrations/rows";
import { pool } from "@/lib/platform/db/pool";
import { keep } from "@/lib/platform/notices";
import { storableText } from "@/lib/platform/storable-text";
import { type Claimed, type Noted, postpone, selectNoted, selectReview, settle } from "./sql";

type Work = {
  integration: Opened<"engagement">;
  ask: Engagement;
  timing: Timing;
  delivery: Claimed;
};

/** How often what changes meanwhile is written again at once. */
const MOST_TURNS = 5;
/** A tenant without the attributes is looked at again after so long. */
const LOOK_AGAIN = 60 * 60_000;

/** Writes the aggregates of a contact that was told of a review. A null is never among them. */
export async function tellContact(work: Work): Promise<"sent" | "skipped" | "failed"> {
  const { delivery } = work;
  const wrote = await writeAggregates(work, delivery.remote_id ?? "", false);
  if (wrote === "gone") {
    await settle(delivery, { outcome: "skipped", reason: "no_contact" });
    return "skipped";
  }
  if (wrote === "nothing") {
    await settle(delivery, { outcome: "skipped", reason: "no_reviews" });
    return "skipped";
  }
  await settle(delivery, { outcome: "sent" });
  await lookForAttributes(work, delivery.remote_id ?? "", wrote);
  return "sent";
}

/** Writes the aggregates of a contact of whom something was erased; where nothing is left, they are cleared. */
export async function rewriteContact(work: Work): Promise<"sent"> {
  await writeAggregates(work, work.delivery.subject, true);
  await finish(work.delivery);
  return "sent";
}

/**
 * Reckons and writes until what was written last is what our rows say: whoever writes last looks last, so two at once end
 * right. The three go alone.
 */
async function writeAggregates(
  { integration: { clientId, settings }, ask }: Work,
  contact: string,
  mayClear: boolean,
): Promise<Aggregates | "gone" | "nothing"> {
  const reckon = () => aggregatesOf(clientId, contact, settings.send_on === "acceptance");
  let now = await reckon();
  for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
    // With a review that was told and is erased since, nothing is right; the erasure's own errand clears it.
    if (now === null && !mayClear && turn === 1) return "nothing";
    const answer = await ask("PATCH", `/contacts/${part(contact)}`, now ?? cleared);
    if (isMissing(answer)) return "gone";
    if (!isDone(answer)) throw faultOf(answer);
    const next = await reckon();
    if (JSON.stringify(next) === JSON.stringify(now)) return now ?? "nothing";
    now = next;
  }
  throw new DeliveryError("unavailable", [{ reason: "contact_changes_too_fast" }]);
}

/** The platform ignores attributes that nobody made there, with success: so once a tenant is read back. */
async function lookForAttributes({ integration, ask }: Work, contact: string, wrote: Aggregates): Promise<void> {
  const { clientId, settings, state } = integration;
  const seen = (state.attributes ?? {}) as {
    at?: string;
    place?: string;
    ok?: boolean;
  };
  const isFresh = seen.ok || Date.parse(seen.at ?? "") + LOOK_AGAIN > Date.now();
  if (seen.place === settings.base_url && isFresh) return;
  const answer = await ask("GET", `/contacts/${part(contact)}`);
  if (!isDone(answer)) return; // a courtesy: the next delivery asks again
  const attributes = ((answer.body as { attributes?: unknown } | null)?.attributes ?? {}) as Record<string, unknown>;
  const missing = Object.keys(wrote).filter((name) => attributes[name] === undefined || attributes[name] === null);
  const note = {
    at: new Date().toISOString(),
    place: settings.base_url,
    ok: missing.length === 0,
  };
  const warning =
    missing.length === 0
      ? null
      : keep({ reason: "attributes_missing", params: { names: missing.join(", "), count: missing.length } });
  await rememberState(clientId, "engagement", { attributes: note, warning });
  state.attributes = note;
}

/** Takes an interaction out of the platform; one that is gone there is well. */
export async function removeInteraction({ ask, delivery }: Work): Promise<"sent"> {
  await remove(ask, delivery.subject);
  await finish(delivery);
  return "sent";
}

/** Ids that an address does not name, but what is above them: all interactions, or more. */
const nameless: readonly string[] = ["", ".", ".."];

async function remove(ask: Engagement, id: string): Promise<void> {
  if (nameless.includes(id))
    throw new DeliveryError("refused", [{ reason: "interaction_id_not_addressable" }], false, true);
  const answer = await ask("DELETE", `/interactions/${part(id)}`);
  if (!isDone(answer) && !isMissing(answer)) throw faultOf(answer);
}

/**
 * Takes them out one by one, whatever the platform says of one of them; throws what is worth another attempt, or else what is
 * not. Where no answer came, none is waited for in vain again.
 */
async function removeAll(ask: Engagement, ids: string[]): Promise<void> {
  const faults: DeliveryError[] = [];
  for (const id of ids) {
    try {
      await remove(ask, id);
    } catch (error) {
      const fault = asDeliveryError(error);
      if (!(error instanceof DeliveryError) || fault.everywhere || fault.reason === "too_many_requests") throw fault;
      faults.push(fault);
    }
  }
  const fault = faults.find(({ final }) => !final) ?? faults[0];
  if (fault) throw fault;
}

/**
 * Looks for an interaction of which nobody knows whether it was made before its review was erased, and takes it out:
 * one of the contact, of that moment, that belongs to no review that is left. The subject is `contact moment`.
 */
export async function removePosted({ integration, ask, timing, delivery }: Work): Promise<"sent" | "later"> {
  const wait = delivery.since.getTime() + timing.settle - Date.now();
  const progress = delivery.payload ?? {};
  if (wait > 0) {
    await postpone(delivery, wait / 1_000, "unavailable", progress);
    return "later";
  }
  const [contact = "", created = ""] = delivery.subject.split(" ");
  const found: Posted[] = [];
  for await (const one of interactionsOf(ask, contact, integration.settings.schema_id))
    if (one.created === created) found.push(one);
  const ids = found.map(({ id }) => id);
  const noted = ids.length > 0 ? await selectNoted(integration.clientId, ids, contact, created) : [];
  if (noted.some(({ remote_id, outcome }) => remote_id === null && outcome === "pending")) {
    // One of them may be that of another review of this moment, whose id is not noted yet.
    await postpone(delivery, timing.settle / 1_000, "unavailable", progress);
    return "later";
  }
  const known = new Set(noted.map(({ remote_id }) => remote_id));
  const unknown = found.filter(({ id }) => !known.has(storableText(id)));
  for (const digest of await digestsOfUnsure(integration.clientId, noted)) {
    const at = unknown.findIndex((one) => isSame(one, created, digest));
    if (at >= 0) unknown.splice(at, 1);
  }
  await removeAll(
    ask,
    unknown.map(({ id }) => id),
  );
  await finish(delivery);
  return "sent";
}

/** Of reviews that are left, what may stand there though its delivery failed: one interaction of each is not to be deleted. */
async function digestsOfUnsure(clientId: string, noted: Noted[]): Promise<string[]> {
  const digests: string[] = [];
  for (const { subject, remote_id, digest } of noted) {
    if (remote_id !== null) continue;
    const review = await selectReview(clientId, subject);
    if (review) digests.push(digest ?? digestOf(payloadOf(review)));
  }
  return digests;
}

/** Ends an errand, unless it was asked for again meanwhile. */
async function finish({ client_id, id, attempts }: Claimed): Promise<void> {
  await pool().query("delete from deliveries where client_id = $1 and id = $2 and attempts = $3", [
    client_id,
    id,
    attempts,
  ]);
}
