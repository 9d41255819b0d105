import { type Engagement, errorOf, isDone, isPassing, isUnanswered } from "@/lib/integrations/engagement/client";
import { DeliveryError, faultOf, Lost } from "@/lib/integrations/engagement/delivery-error";
import { dueNow } from "@/lib/integrations/engagement/due-now";
import { ensureSchema, forgetSchema } from "@/lib/integrations/engagement/ensure-schema";
import { findContact } from "@/lib/integrations/engagement/find-contact";
import { digestOf, interactionsOf, isSame, payloadOf, told } from "@/lib/integrations/engagement/interactions";
import { heldBy } from "@/lib/integrations/engagement/note-review";
import { forgetReview, orphaned } from "@/lib/integrations/engagement/orphans";
import type { Timing } from "@/lib/integrations/engagement/timing";
import type { Opened } from "@/lib/integrations/rows";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { keep } from "@/lib/platform/notices";
import { storableText } from "@/lib/platform/storable-text";
import {
  type Claimed,
  keepProgress,
  knownInteractions,
  type Progress,
  postpone,
  selectReview,
  settle,
  settleUntold,
  type ToldReview,
} from "./sql";

type Work = {
  integration: Opened<"engagement">;
  ask: Engagement;
  timing: Timing;
  delivery: Claimed;
};

/** Refusals of the same after which nothing else is tried: of a review, the schema and the contact were looked up anew. */
export const MOST_REFUSALS = 3;

/**
 * Posts the interaction of a review, once. The platform knows no idempotency key: so it is noted before a post that one
 * begins, and where its outcome stays unknown (no answer, 5xx, a crash), what the platform has is looked through before
 * another one. Throws {@link DeliveryError} where it is to be tried later.
 */
export async function tellReview(work: Work): Promise<"sent" | "skipped" | "failed" | "later" | "gone"> {
  const { integration, ask, timing, delivery } = work;
  const { settings, clientId } = integration;
  const review = await selectReview(clientId, delivery.subject);
  if (!review) {
    // Deleted, and the fact of it is not here yet: what may have been posted is to be taken out all the same.
    await transaction((db) => forgetReview(db, clientId, delivery.subject));
    return "gone";
  }
  let progress: Progress = delivery.payload ?? {};
  if (progress.begun && Date.parse(progress.begun) + timing.settle > Date.now()) {
    // Who began it may still be at it, or the platform.
    const wait = (Date.parse(progress.begun) + timing.settle - Date.now()) / 1_000;
    await postpone(delivery, wait, "unavailable", progress);
    return "later";
  }
  const held = progress.begun ? null : heldBy(review, settings);
  if (held !== null) {
    await settleUntold(delivery, { outcome: "skipped", reason: held });
    return "skipped";
  }
  await ensureSchema(integration, ask);
  const contact = progress.contact ?? (await contactOf(work, review));
  if (contact === null) return "skipped";
  const created = told(review.created_at);
  const kept = progress.refusals === undefined ? {} : { refusals: progress.refusals };
  const payload = payloadOf(review);
  if (progress.begun) {
    // Begun by a version that kept no digest: it was posted as it is now, unless it was edited since.
    const posted = await findPosted(work, contact, created, progress.digest ?? digestOf(payload));
    if (posted !== null) return noteSent(work, contact, posted);
  }
  const answer = await ask(
    "POST",
    "/interactions",
    {
      schemaId: settings.schema_id,
      contactId: contact,
      createdDate: created,
      payload,
    },
    async () => {
      progress = { ...kept, contact, created, digest: digestOf(payload), begun: new Date().toISOString() };
      await begin(delivery, progress);
    },
  );
  if (isDone(answer)) {
    const id = (answer.body as { id?: unknown } | null)?.id;
    if (typeof id === "string" && storableText(id) !== "") return noteSent(work, contact, id);
    throw new DeliveryError("unavailable", [{ reason: "interaction_without_id" }]);
  }
  if (isPassing(answer) && answer.status !== 429) {
    // A gateway speaks for whoever is behind it, who may still be at it: that is waited for as without an answer.
    if (isUnanswered(answer)) throw faultOf(answer);
    // It is over with it, and may have kept it: nothing is still under way, and it is to be asked.
    await keepProgress(delivery, {
      ...progress,
      begun: new Date(0).toISOString(),
    });
    throw faultOf(answer);
  }
  // It says itself that nothing was made: the next attempt need not ask.
  const fault = faultOf(answer);
  if (fault.reason !== "refused") {
    await keepProgress(delivery, { ...kept, contact, created, said: fault.kept });
    throw fault;
  }
  await forgetSchema(integration);
  const refusals = (kept.refusals ?? 0) + 1;
  if (refusals < MOST_REFUSALS) {
    await keepProgress(delivery, { said: fault.kept, refusals });
    throw fault;
  }
  await settleUntold(delivery, { outcome: "failed", reason: "refused", progress: { said: keep(errorOf(answer)) } });
  return "failed";
}

async function contactOf({ integration, ask, delivery }: Work, review: ToldReview): Promise<string | null> {
  const person = {
    customer_key: review.customer_id,
    // An address counts where a link mailed to it was used; else a buyer's is that of the customer.
    email: review.verified_email ? (review.author_email ?? review.customer_email) : review.customer_email,
  };
  const found = await findContact(ask, person, integration.settings);
  if ("contact" in found) return found.contact;
  await settleUntold(delivery, { outcome: "skipped", reason: found.missing });
  return null;
}

/** An interaction that an earlier attempt posted and nobody knows of. */
async function findPosted(
  { integration, ask }: Work,
  contact: string,
  created: string,
  digest: string,
): Promise<string | null> {
  const same: string[] = [];
  for await (const one of interactionsOf(ask, contact, integration.settings.schema_id))
    if (isSame(one, created, digest)) same.push(one.id);
  const known = await knownInteractions(integration.clientId, same);
  return same.find((id) => !known.has(id)) ?? null;
}

/** Committed before the post: that it begins, and which contact hears of it. Throws {@link Lost}. */
const begin = (delivery: Claimed, progress: Progress): Promise<void> =>
  transaction(async (db) => {
    if (!(await keepProgress(delivery, progress, db))) throw new Lost();
    await db.query(
      `insert into deliveries (client_id, id, type, kind, subject, outcome, remote_id)
       values ($1, $2, 'engagement', 'attributes', $3, 'pending', $4)
       on conflict (client_id, type, target_id, kind, subject) do update set remote_id = excluded.remote_id`,
      [delivery.client_id, newId("delivery"), delivery.subject, progress.contact],
    );
  });

/** Has the contact's attributes told after an interaction that is there; what was told of them stays so. */
async function attributesFollow(db: Db, { client_id, subject }: Claimed, contact: string): Promise<void> {
  await db.query(
    `insert into deliveries as d (client_id, id, type, kind, subject, outcome, remote_id, due_at)
     values ($1, $2, 'engagement', 'attributes', $3, 'pending', $4, now())
     on conflict (client_id, type, target_id, kind, subject) do update
        set remote_id = excluded.remote_id, outcome = excluded.outcome, reason = null, due_at = excluded.due_at,
            asked_at = excluded.due_at, updated_at = now() where d.outcome <> 'sent'`,
    [client_id, newId("delivery"), subject, contact],
  );
  await dueNow(db, client_id);
}

/** The interaction is there; the contact's attributes follow. Where the review was erased meanwhile, it goes again. */
async function noteSent({ delivery }: Work, contact: string, id: string): Promise<"sent" | "gone" | "failed"> {
  // One that the database does not keep as it is is noted all the same: the interaction is there, and is not to be told again.
  const remoteId = storableText(id);
  if (remoteId === "") {
    // Of this one nothing can be kept. That it was posted is: told again it would stand there twice, and an erasure has to look for it.
    const said = keep({ reason: "interaction_id_not_kept" });
    const progress = { ...delivery.payload, said };
    return transaction(async (db) => {
      if (!(await settle(delivery, { outcome: "failed", reason: "refused", progress }, db))) return "gone";
      await attributesFollow(db, delivery, contact);
      return "failed";
    });
  }
  return transaction(async (db) => {
    const done = await settle(delivery, { outcome: "sent", remoteId, progress: { contact } }, db);
    if (done) {
      await attributesFollow(db, delivery, contact);
      return "sent";
    }
    // Taken over by another worker, who finds what was posted by asking; or erased.
    const { rowCount } = await db.query("select from deliveries where client_id = $1 and id = $2", [
      delivery.client_id,
      delivery.id,
    ]);
    if (rowCount === 0)
      await orphaned(db, delivery.client_id, [
        { kind: "interaction", id: remoteId },
        { kind: "attributes", id: contact },
      ]);
    return "gone";
  });
}
