import { type Aggregates, aggregatesOf, clearedAggregates } from "@/lib/integrations/engagement/aggregates";
import { type EngagementClient, isNotFound, isSuccess, pathSegment } from "@/lib/integrations/engagement/client";
import { asDeliveryError, DeliveryError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";
import {
  digestOf,
  isSameInteraction,
  listInteractions,
  payloadOf,
  type RemoteInteraction,
} from "@/lib/integrations/engagement/interactions";
import type { Timing } from "@/lib/integrations/engagement/timing";
import { mergeState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { pool } from "@/lib/platform/db/pool";
import { encodeNotices } from "@/lib/platform/notices";
import { storableText } from "@/lib/platform/storable-text";
import {
  type ClaimedDelivery,
  finishDelivery,
  type KnownInteraction,
  rescheduleDelivery,
  selectKnownInteractions,
  selectReview,
} from "./sql";

type DeliveryWork = {
  integration: IntegrationWithSecrets<"engagement">;
  client: EngagementClient;
  timing: Timing;
  delivery: ClaimedDelivery;
};

/** Maximum immediate rewrites if reviews change meanwhile. */
const MAX_REWRITES = 5;
/** Interval of checks whether a tenant has the attributes. */
const RECHECK_AFTER_MS = 60 * 60_000;

/** Writes the aggregates of a contact that a review was sent to, never as nulls. */
export async function sendAttributes(work: DeliveryWork): Promise<"sent" | "skipped" | "failed"> {
  const { delivery } = work;
  const written = await writeAggregates(work, delivery.remote_id ?? "", false);
  if (written === "gone") {
    await finishDelivery(delivery, { outcome: "skipped", reason: "no_contact" });
    return "skipped";
  }
  if (written === "nothing") {
    await finishDelivery(delivery, { outcome: "skipped", reason: "no_reviews" });
    return "skipped";
  }
  await finishDelivery(delivery, { outcome: "sent" });
  await checkAttributes(work, delivery.remote_id ?? "", written);
  return "sent";
}

/** Writes the aggregates of a contact after an erasure; clears them if no review is left. */
export async function rewriteContact(work: DeliveryWork): Promise<"sent"> {
  await writeAggregates(work, work.delivery.subject, true);
  await deleteDelivery(work.delivery);
  return "sent";
}

/**
 * Computes and writes until the written values are current. The last writer also checks last, so concurrent writers end
 * up correct. Sends only the three attributes.
 */
async function writeAggregates(
  { integration: { clientId, settings }, client }: DeliveryWork,
  contact: string,
  mayClear: boolean,
): Promise<Aggregates | "gone" | "nothing"> {
  const compute = () => aggregatesOf(clientId, contact, settings.send_on === "acceptance");
  let now = await compute();
  for (let round = 1; round <= MAX_REWRITES; round += 1) {
    // The sent review was erased meanwhile, and no other is left: the erasure's own delivery clears the attributes.
    if (now === null && !mayClear && round === 1) return "nothing";
    const answer = await client("PATCH", `/contacts/${pathSegment(contact)}`, now ?? clearedAggregates);
    if (isNotFound(answer)) return "gone";
    if (!isSuccess(answer)) throw toDeliveryError(answer);
    const next = await compute();
    if (JSON.stringify(next) === JSON.stringify(now)) return now ?? "nothing";
    now = next;
  }
  throw new DeliveryError("unavailable", [{ reason: "contact_changes_too_fast" }]);
}

/** The platform silently ignores undefined attributes, so they are read back once per tenant. */
async function checkAttributes(
  { integration, client }: DeliveryWork,
  contact: string,
  wrote: Aggregates,
): Promise<void> {
  const { clientId, settings, state } = integration;
  const lastCheck = (state.attributes ?? {}) as {
    at?: string;
    place?: string;
    ok?: boolean;
  };
  const isFresh = lastCheck.ok || Date.parse(lastCheck.at ?? "") + RECHECK_AFTER_MS > Date.now();
  if (lastCheck.place === settings.base_url && isFresh) return;
  const answer = await client("GET", `/contacts/${pathSegment(contact)}`);
  if (!isSuccess(answer)) return; // optional: the next delivery checks again
  const attributes = ((answer.body as { attributes?: unknown } | null)?.attributes ?? {}) as Record<string, unknown>;
  const missing = Object.keys(wrote).filter((name) => attributes[name] === undefined || attributes[name] === null);
  const check = {
    at: new Date().toISOString(),
    place: settings.base_url,
    ok: missing.length === 0,
  };
  const warning =
    missing.length === 0
      ? null
      : encodeNotices({ reason: "attributes_missing", params: { names: missing.join(", "), count: missing.length } });
  await mergeState(clientId, "engagement", { attributes: check, warning });
  state.attributes = check;
}

/** Deletes an interaction. Succeeds if it no longer exists. */
export async function removeInteraction({ client, delivery }: DeliveryWork): Promise<"sent"> {
  await deleteInteraction(client, delivery.subject);
  await deleteDelivery(delivery);
  return "sent";
}

/** Ids that would address the parent path: all interactions, or more. */
const unsafeIds: readonly string[] = ["", ".", ".."];

async function deleteInteraction(client: EngagementClient, id: string): Promise<void> {
  if (unsafeIds.includes(id))
    throw new DeliveryError("refused", [{ reason: "interaction_id_not_addressable" }], false, true);
  const answer = await client("DELETE", `/interactions/${pathSegment(id)}`);
  if (!isSuccess(answer) && !isNotFound(answer)) throw toDeliveryError(answer);
}

/**
 * Deletes interactions one by one, whatever the errors, and then throws a retryable error, or else a final one. Stops
 * if there is no response.
 */
async function deleteInteractions(client: EngagementClient, ids: string[]): Promise<void> {
  const errors: DeliveryError[] = [];
  for (const id of ids) {
    try {
      await deleteInteraction(client, id);
    } catch (error) {
      const deliveryError = asDeliveryError(error);
      if (
        !(error instanceof DeliveryError) ||
        deliveryError.affectsAllDeliveries ||
        deliveryError.reason === "too_many_requests"
      )
        throw deliveryError;
      errors.push(deliveryError);
    }
  }
  const firstError = errors.find(({ final }) => !final) ?? errors[0];
  if (firstError) throw firstError;
}

/**
 * Finds an interaction that may have been posted before its review was erased, and deletes it: interactions of the
 * contact and time that belong to no remaining review. The subject is `contact time`.
 */
export async function removeUnconfirmed({
  integration,
  client,
  timing,
  delivery,
}: DeliveryWork): Promise<"sent" | "later"> {
  const remainingMs = delivery.since.getTime() + timing.settle - Date.now();
  const progress = delivery.payload ?? {};
  if (remainingMs > 0) {
    await rescheduleDelivery(delivery, remainingMs / 1_000, "unavailable", progress);
    return "later";
  }
  const [contact = "", created = ""] = delivery.subject.split(" ");
  const found: RemoteInteraction[] = [];
  for await (const one of listInteractions(client, contact, integration.settings.schema_id))
    if (one.created === created) found.push(one);
  const ids = found.map(({ id }) => id);
  const knownDeliveries =
    ids.length > 0 ? await selectKnownInteractions(integration.clientId, ids, contact, created) : [];
  if (knownDeliveries.some(({ remote_id, outcome }) => remote_id === null && outcome === "pending")) {
    // One of them may belong to another review of the same time, whose id isn't recorded yet.
    await rescheduleDelivery(delivery, timing.settle / 1_000, "unavailable", progress);
    return "later";
  }
  const known = new Set(knownDeliveries.map(({ remote_id }) => remote_id));
  const unknown = found.filter(({ id }) => !known.has(storableText(id)));
  for (const digest of await digestsOfUnconfirmed(integration.clientId, knownDeliveries)) {
    const at = unknown.findIndex((one) => isSameInteraction(one, created, digest));
    if (at >= 0) unknown.splice(at, 1);
  }
  await deleteInteractions(
    client,
    unknown.map(({ id }) => id),
  );
  await deleteDelivery(delivery);
  return "sent";
}

/**
 * Digests of remaining reviews without a recorded id. Their interactions may exist although the delivery failed, so one
 * of each must not be deleted.
 */
async function digestsOfUnconfirmed(clientId: string, knownDeliveries: KnownInteraction[]): Promise<string[]> {
  const digests: string[] = [];
  for (const { subject, remote_id, digest } of knownDeliveries) {
    if (remote_id !== null) continue;
    const review = await selectReview(clientId, subject);
    if (review) digests.push(digest ?? digestOf(payloadOf(review)));
  }
  return digests;
}

/** Deletes the finished delivery, unless it was requested again meanwhile. */
async function deleteDelivery({ client_id, id, attempts }: ClaimedDelivery): Promise<void> {
  await pool().query("delete from deliveries where client_id = $1 and id = $2 and attempts = $3", [
    client_id,
    id,
    attempts,
  ]);
}
