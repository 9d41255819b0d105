import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { AuditAction } from "@/lib/accounts/values";
import {
  activeSecrets,
  countPendingEvents,
  lockedDeliveryIdsSql,
  lockWebhook,
  newSigningSecret,
  refuseShortenedAddress,
  sealAddress,
  sealSigningSecrets,
  selectWebhooks,
  toWebhook,
  unsealAddress,
} from "@/lib/integrations/webhooks/rows";
import type { NewWebhook, Webhook, WebhookInput } from "@/lib/integrations/webhooks/schema";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { rejectInternalAddress } from "@/lib/platform/http/guarded-fetch";
import { newId } from "@/lib/platform/ids";
import { deleteJobFailures } from "@/lib/platform/jobs/job-failures";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Client = Pick<ClientRow, "id">;
type ActorRef = Pick<Actor, "kind" | "id">;

const MAX_WEBHOOKS = 20;
/** How long both secrets sign after a rotation. */
export const SECRET_OVERLAP_HOURS = 24;
/** Previous secrets that may sign; each lengthens a header. */
const MAX_EARLIER_SECRETS = 5;

/**
 * Creates a webhook. Only this response contains its signing secret. Throws `invalid_field` for an internal address,
 * `conflict` beyond twenty webhooks or for a second external sender.
 */
export async function createWebhook(actor: ActorRef, client: Client, input: WebhookInput): Promise<NewWebhook> {
  refuseShortenedAddress(input.url);
  await rejectInternalAddress(input.url, "url");
  const id = newId("wh");
  const secret = newSigningSecret();
  return transaction(async (db) => {
    const others = await lockWebhooks(db, client);
    if (others.length >= MAX_WEBHOOKS)
      throw new AppError("conflict", { reason: "too_many_webhooks", params: { max: MAX_WEBHOOKS } });
    refuseSecondSender(input, others);
    const { url, sealed_url } = sealAddress(input.url);
    await db.query(
      `insert into webhooks (client_id, id, url, sealed_url, events, secrets, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [client.id, id, url, sealed_url, input.events, sealSigningSecrets([{ secret }]), now()],
    );
    await audit(db, actor, client, "webhook.created", id, { url });
    return { ...(await readWebhook(db, client, id)), secret };
  });
}

/**
 * Changes address or events; pending events go to the new address. An address sent as shown keeps its hidden part.
 * Throws `not_found`, `invalid_field`, and `conflict` for a second external sender.
 */
export async function changeWebhook(
  actor: ActorRef,
  client: Client,
  id: string,
  input: WebhookInput,
): Promise<Webhook> {
  await rejectInternalAddress(input.url, "url");
  return transaction(async (db) => {
    const others = (await lockWebhooks(db, client)).filter((other) => other.id !== id);
    const before = await lockWebhook(client.id, id, db);
    refuseSecondSender(input, others);
    const address = input.url === before.url ? (unsealAddress(before) ?? input.url) : input.url;
    refuseShortenedAddress(address);
    const { url, sealed_url } = sealAddress(address);
    await db.query(
      "update webhooks set url = $3, sealed_url = $4, events = $5, updated_at = $6 where client_id = $1 and id = $2",
      [client.id, id, url, sealed_url, input.events, now()],
    );
    await audit(db, actor, client, "webhook.updated", id, { url });
    return readWebhook(db, client, id);
  });
}

/** Locks a client's webhooks, so that concurrent writers can't exceed a limit together. */
async function lockWebhooks(db: Db, client: Client) {
  await db.query("select pg_advisory_xact_lock(hashtext('candor.webhooks'), hashtext($1))", [client.id]);
  return selectWebhooks(client.id, db);
}

/** An invitation must be sent once: a second receiver, even a paused one, would send it again. */
function refuseSecondSender({ events }: WebhookInput, others: { events: string[] }[]): void {
  if (events.includes(DELEGATED_EVENT) && others.some((other) => other.events.includes(DELEGATED_EVENT)))
    throw new AppError("conflict", { reason: "second_sending_webhook" });
}

/**
 * Deletes a webhook and its log. Throws `not_found`, and `conflict` if it has pending invitations, which would never be
 * sent although their customers' cooldown has begun.
 */
export async function removeWebhook(actor: ActorRef, client: Client, id: string): Promise<void> {
  await transaction(async (db) => {
    // Waits for transactions that are writing events for it, and then sees those events.
    const { url } = await lockWebhook(client.id, id, db, "update");
    const { rowCount } = await db.query(
      `select from webhook_deliveries where client_id = $1 and webhook_id = $2 and state = 'pending' and event = '${DELEGATED_EVENT}' limit 1`,
      [client.id, id],
    );
    if (rowCount) throw new AppError("conflict", { reason: "webhook_has_mails" });
    await db.query("delete from webhooks where client_id = $1 and id = $2", [client.id, id]);
    await deleteJobFailures(db, client.id, id);
    await audit(db, actor, client, "webhook.removed", id, { url });
  });
}

/** Pauses a webhook and keeps its events. Throws `not_found`. */
export function pauseWebhook(actor: ActorRef, client: Client, id: string): Promise<Webhook> {
  return transaction(async (db) => {
    const before = await lockWebhook(client.id, id, db);
    if (before.paused_at === null) {
      await db.query("update webhooks set paused_at = $3, updated_at = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        now(),
      ]);
      await audit(db, actor, client, "webhook.paused", id, {});
    }
    return readWebhook(db, client, id);
  });
}

/**
 * Resumes a paused, failing or disabled webhook and delivers pending events immediately, in order. Throws `not_found`.
 */
export async function resumeWebhook(actor: ActorRef, client: Client, id: string): Promise<Webhook> {
  const webhook = await transaction(async (db) => {
    const { paused_at, disabled_at, failing_since } = await lockWebhook(client.id, id, db);
    if (paused_at || disabled_at || failing_since) {
      await db.query(
        `update webhooks set paused_at = null, disabled_at = null, disabled_reason = null, failing_since = null,
                failures = 0, next_try_at = null, last_error = null, updated_at = $3
          where client_id = $1 and id = $2`,
        [client.id, id, now()],
      );
      await db.query(
        `update webhook_deliveries set due_at = least(due_at, $3)
          where client_id = $1 and id = any(${lockedDeliveryIdsSql("state = 'pending' and attempts > 0")})`,
        [client.id, id, now()],
      );
      await enqueue(db, [{ name: "webhook/due", data: { client_id: client.id, webhook_id: id } }]);
      await audit(db, actor, client, "webhook.resumed", id, {});
    }
    return readWebhook(db, client, id);
  });
  wakeRelay();
  return webhook;
}

/**
 * Creates a new signing secret, which only this response contains. The previous one also signs for a day, so that the
 * receiver can be changed meanwhile. Throws `not_found`.
 */
export function rotateSecret(actor: ActorRef, client: Client, id: string): Promise<NewWebhook> {
  return transaction(async (db) => {
    const before = await lockWebhook(client.id, id, db);
    const until = new Date(now().getTime() + SECRET_OVERLAP_HOURS * 3_600_000).toISOString();
    const secret = newSigningSecret();
    // Each previous secret signs until the end of its day, even after another rotation: a second click must not
    // invalidate the one in use.
    const earlier = activeSecrets(before, now()).map((one) => ({ ...one, until: one.until ?? until }));
    const secrets = [{ secret }, ...earlier.slice(0, MAX_EARLIER_SECRETS)];
    await db.query("update webhooks set secrets = $3, updated_at = $4 where client_id = $1 and id = $2", [
      client.id,
      id,
      sealSigningSecrets(secrets),
      now(),
    ]);
    await audit(db, actor, client, "webhook.rotated", id, {});
    return { ...(await readWebhook(db, client, id)), secret };
  });
}

async function readWebhook(db: Db, client: Client, id: string): Promise<Webhook> {
  const row = await lockWebhook(client.id, id, db);
  return toWebhook(row, (await countPendingEvents(client.id, db)).get(id) ?? 0, now());
}

const audit = (db: Db, actor: ActorRef, client: Client, action: AuditAction, id: string, detail: AuditDetail) =>
  recordAudit(db, { clientId: client.id, actor, action, subject: id, detail });
