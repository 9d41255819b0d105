import {
  type EngagementClient,
  errorOf,
  isGatewayTimeout,
  isSuccess,
  isTransientResponse,
} from "@/lib/integrations/engagement/client";
import { DeliveryError, DeliveryLostError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";
import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { clearSchemaCache, ensureSchema } from "@/lib/integrations/engagement/ensure-schema";
import { findContact } from "@/lib/integrations/engagement/find-contact";
import {
  digestOf,
  isSameInteraction,
  listInteractions,
  payloadOf,
  toTimestamp,
} from "@/lib/integrations/engagement/interactions";
import { deleteReviewDeliveries, enqueueRemovals } from "@/lib/integrations/engagement/queue-removals";
import { skipReasonOf } from "@/lib/integrations/engagement/queue-review";
import type { Timing } from "@/lib/integrations/engagement/timing";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { encodeNotices } from "@/lib/platform/notices";
import { storableText } from "@/lib/platform/storable-text";
import {
  type ClaimedDelivery,
  filterKnownInteractions,
  finishDelivery,
  finishUnsentInteraction,
  type Progress,
  type ReviewToSend,
  rescheduleDelivery,
  saveDeliveryProgress,
  selectReview,
} from "./sql";

type DeliveryWork = {
  integration: IntegrationWithSecrets<"engagement">;
  client: EngagementClient;
  timing: Timing;
  delivery: ClaimedDelivery;
};

/** Rejections after which a review fails. Before that, schema and contact are looked up again. */
export const MAX_REFUSALS = 3;

/**
 * Posts a review's interaction exactly once. The platform has no idempotency key, so the start of a post is recorded
 * before it. If the outcome is unknown (no response, 5xx, crash), the platform is searched before another post. Throws
 * {@link DeliveryError} if it should be retried.
 */
export async function sendInteraction(work: DeliveryWork): Promise<"sent" | "skipped" | "failed" | "later" | "gone"> {
  const { integration, client, timing, delivery } = work;
  const { settings, clientId } = integration;
  const review = await selectReview(clientId, delivery.subject);
  if (!review) {
    // Deleted, but its outbox event hasn't arrived: what may have been posted must still be removed.
    await transaction((db) => deleteReviewDeliveries(db, clientId, delivery.subject));
    return "gone";
  }
  let progress: Progress = delivery.payload ?? {};
  if (progress.begun && Date.parse(progress.begun) + timing.settle > Date.now()) {
    // The worker that began the post, or the platform, may still be processing it.
    const remainingMs = (Date.parse(progress.begun) + timing.settle - Date.now()) / 1_000;
    await rescheduleDelivery(delivery, remainingMs, "unavailable", progress);
    return "later";
  }
  const skipReason = progress.begun ? null : skipReasonOf(review, settings);
  if (skipReason !== null) {
    await finishUnsentInteraction(delivery, { outcome: "skipped", reason: skipReason });
    return "skipped";
  }
  await ensureSchema(integration, client);
  const contact = progress.contact ?? (await findContactOf(work, review));
  if (contact === null) return "skipped";
  const created = toTimestamp(review.created_at);
  const previousRefusals = progress.refusals === undefined ? {} : { refusals: progress.refusals };
  const payload = payloadOf(review);
  if (progress.begun) {
    // Begun by a version without digest: assume it was posted as it is now.
    const posted = await findPosted(work, contact, created, progress.digest ?? digestOf(payload));
    if (posted !== null) return recordSent(work, contact, posted);
  }
  const answer = await client(
    "POST",
    "/interactions",
    {
      schemaId: settings.schema_id,
      contactId: contact,
      createdDate: created,
      payload,
    },
    async () => {
      progress = { ...previousRefusals, contact, created, digest: digestOf(payload), begun: new Date().toISOString() };
      await recordPostStart(delivery, progress);
    },
  );
  if (isSuccess(answer)) {
    const id = (answer.body as { id?: unknown } | null)?.id;
    if (typeof id === "string" && storableText(id) !== "") return recordSent(work, contact, id);
    throw new DeliveryError("unavailable", [{ reason: "interaction_without_id" }]);
  }
  if (isTransientResponse(answer) && answer.status !== 429) {
    // The platform behind the gateway may still be processing it: wait as without a response.
    if (isGatewayTimeout(answer)) throw toDeliveryError(answer);
    // Processing is over, but may have succeeded: no wait is needed, but a search is.
    await saveDeliveryProgress(delivery, {
      ...progress,
      begun: new Date(0).toISOString(),
    });
    throw toDeliveryError(answer);
  }
  // The platform reports that nothing was created: the next attempt needs no search.
  const deliveryError = toDeliveryError(answer);
  if (deliveryError.reason !== "refused") {
    await saveDeliveryProgress(delivery, { ...previousRefusals, contact, created, said: deliveryError.kept });
    throw deliveryError;
  }
  await clearSchemaCache(integration);
  const refusals = (previousRefusals.refusals ?? 0) + 1;
  if (refusals < MAX_REFUSALS) {
    await saveDeliveryProgress(delivery, { said: deliveryError.kept, refusals });
    throw deliveryError;
  }
  await finishUnsentInteraction(delivery, {
    outcome: "failed",
    reason: "refused",
    progress: { said: encodeNotices(errorOf(answer)) },
  });
  return "failed";
}

async function findContactOf(
  { integration, client, delivery }: DeliveryWork,
  review: ReviewToSend,
): Promise<string | null> {
  const person = {
    customer_key: review.customer_id,
    // The author's email counts if it's verified; else the customer's is used.
    email: review.verified_email ? (review.author_email ?? review.customer_email) : review.customer_email,
  };
  const found = await findContact(client, person, integration.settings);
  if ("contact" in found) return found.contact;
  await finishUnsentInteraction(delivery, { outcome: "skipped", reason: found.missing });
  return null;
}

/** An interaction posted by an earlier attempt and not recorded. */
async function findPosted(
  { integration, client }: DeliveryWork,
  contact: string,
  created: string,
  digest: string,
): Promise<string | null> {
  const matchingIds: string[] = [];
  for await (const one of listInteractions(client, contact, integration.settings.schema_id))
    if (isSameInteraction(one, created, digest)) matchingIds.push(one.id);
  const known = await filterKnownInteractions(integration.clientId, matchingIds);
  return matchingIds.find((id) => !known.has(id)) ?? null;
}

/** Records, before the post, that it begins, and its contact. Throws {@link DeliveryLostError}. */
const recordPostStart = (delivery: ClaimedDelivery, progress: Progress): Promise<void> =>
  transaction(async (db) => {
    if (!(await saveDeliveryProgress(delivery, progress, db))) throw new DeliveryLostError();
    await db.query(
      `insert into deliveries (client_id, id, type, kind, subject, outcome, remote_id)
       values ($1, $2, 'engagement', 'attributes', $3, 'pending', $4)
       on conflict (client_id, type, target_id, kind, subject) do update set remote_id = excluded.remote_id`,
      [delivery.client_id, newId("delivery"), delivery.subject, progress.contact],
    );
  });

/** Queues the contact's attributes after its interaction exists, unless they were sent. */
async function queueAttributes(db: Db, { client_id, subject }: ClaimedDelivery, contact: string): Promise<void> {
  await db.query(
    `insert into deliveries as d (client_id, id, type, kind, subject, outcome, remote_id, due_at)
     values ($1, $2, 'engagement', 'attributes', $3, 'pending', $4, now())
     on conflict (client_id, type, target_id, kind, subject) do update
        set remote_id = excluded.remote_id, outcome = excluded.outcome, reason = null, due_at = excluded.due_at,
            asked_at = excluded.due_at, updated_at = now() where d.outcome <> 'sent'`,
    [client_id, newId("delivery"), subject, contact],
  );
  await enqueueEngagementDelivery(db, client_id);
}

/**
 * Records the interaction and queues the contact's attributes. If the review was erased meanwhile, removes it again.
 */
async function recordSent(
  { delivery }: DeliveryWork,
  contact: string,
  id: string,
): Promise<"sent" | "gone" | "failed"> {
  // An id that can't be stored unchanged is recorded in storable form: the interaction exists and must not be posted
  // again.
  const remoteId = storableText(id);
  if (remoteId === "") {
    // Nothing of this id can be stored. Record that it was posted: it must not be posted again, and an erasure must
    // search for it.
    const notice = encodeNotices({ reason: "interaction_id_not_kept" });
    const progress = { ...delivery.payload, said: notice };
    return transaction(async (db) => {
      if (!(await finishDelivery(delivery, { outcome: "failed", reason: "refused", progress }, db))) return "gone";
      await queueAttributes(db, delivery, contact);
      return "failed";
    });
  }
  return transaction(async (db) => {
    const done = await finishDelivery(delivery, { outcome: "sent", remoteId, progress: { contact } }, db);
    if (done) {
      await queueAttributes(db, delivery, contact);
      return "sent";
    }
    // Either another worker took over, which will find the post by searching, or the review was erased.
    const { rowCount } = await db.query("select from deliveries where client_id = $1 and id = $2", [
      delivery.client_id,
      delivery.id,
    ]);
    if (rowCount === 0)
      await enqueueRemovals(db, delivery.client_id, [
        { kind: "interaction", id: remoteId },
        { kind: "attributes", id: contact },
      ]);
    return "gone";
  });
}
