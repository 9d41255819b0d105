import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { AuditAction } from "@/lib/accounts/values";
import {
  countWaiting,
  heldDeliveries,
  holdWebhook,
  keptAddress,
  newSecret,
  refuseCutAddress,
  sealedSecrets,
  secretsAt,
  selectWebhooks,
  toWebhook,
  wholeAddress,
} from "@/lib/integrations/webhooks/rows";
import type { NewWebhook, Webhook, WebhookInput } from "@/lib/integrations/webhooks/schema";
import { HANDED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { refuseInternal } from "@/lib/platform/http/guarded-fetch";
import { newId } from "@/lib/platform/ids";
import { forgetJobFailures } from "@/lib/platform/jobs/job-failures";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Client = Pick<ClientRow, "id">;
type By = Pick<Actor, "kind" | "id">;

const MOST_WEBHOOKS = 20;
/** How long both secrets sign after a rotation. */
export const OVERLAP_HOURS = 24;
/** Earlier secrets that sign at the same time; each lengthens a header. */
const MOST_EARLIER = 5;

/**
 * Has a client's events told at an address, from now on. Its signing secret is in this answer and in no other. Throws
 * `invalid_field` for an address inside, `conflict` beyond twenty webhooks, and for a second one that hands mails over.
 */
export async function createWebhook(actor: By, client: Client, input: WebhookInput): Promise<NewWebhook> {
  refuseCutAddress(input.url);
  await refuseInternal(input.url, "url");
  const id = newId("wh");
  const secret = newSecret();
  return transaction(async (db) => {
    const others = await heldWebhooks(db, client);
    if (others.length >= MOST_WEBHOOKS)
      throw new AppError("conflict", { reason: "too_many_webhooks", params: { max: MOST_WEBHOOKS } });
    refuseSecondHand(input, others);
    const { url, sealed_url } = keptAddress(input.url);
    await db.query(
      `insert into webhooks (client_id, id, url, sealed_url, events, secrets, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [client.id, id, url, sealed_url, input.events, sealedSecrets([{ secret }]), now()],
    );
    await note(db, actor, client, "webhook.created", id, { url });
    return { ...(await shown(db, client, id)), secret };
  });
}

/**
 * Changes address or events; what waits goes to the new address. An address given as it is shown keeps its hidden part.
 * Throws `not_found`, `invalid_field`, `conflict` for a second webhook that hands mails over.
 */
export async function changeWebhook(actor: By, client: Client, id: string, input: WebhookInput): Promise<Webhook> {
  await refuseInternal(input.url, "url");
  return transaction(async (db) => {
    const others = (await heldWebhooks(db, client)).filter((other) => other.id !== id);
    const before = await holdWebhook(client.id, id, db);
    refuseSecondHand(input, others);
    const address = input.url === before.url ? (wholeAddress(before) ?? input.url) : input.url;
    refuseCutAddress(address);
    const { url, sealed_url } = keptAddress(address);
    await db.query(
      "update webhooks set url = $3, sealed_url = $4, events = $5, updated_at = $6 where client_id = $1 and id = $2",
      [client.id, id, url, sealed_url, input.events, now()],
    );
    await note(db, actor, client, "webhook.updated", id, { url });
    return shown(db, client, id);
  });
}

/** The client's webhooks, for one writer at a time: two at once must not pass a limit together. */
async function heldWebhooks(db: Db, client: Client) {
  await db.query("select pg_advisory_xact_lock(hashtext('candor.webhooks'), hashtext($1))", [client.id]);
  return selectWebhooks(client.id, db);
}

/** A mail is handed over once: a second receiver, also one that waits and is told later, would send it again. */
function refuseSecondHand({ events }: WebhookInput, others: { events: string[] }[]): void {
  if (events.includes(HANDED_EVENT) && others.some((other) => other.events.includes(HANDED_EVENT)))
    throw new AppError("conflict", { reason: "second_sending_webhook" });
}

/**
 * Tells it nothing any more; its log goes too. Throws `not_found`, and `conflict` while mails wait in it to be handed over:
 * their customers are in quarantine for them, and nobody would ever send them.
 */
export async function removeWebhook(actor: By, client: Client, id: string): Promise<void> {
  await transaction(async (db) => {
    // Who is just writing an event for it is waited for, and then it is seen.
    const { url } = await holdWebhook(client.id, id, db, "update");
    const { rowCount } = await db.query(
      `select from webhook_deliveries where client_id = $1 and webhook_id = $2 and state = 'pending' and event = '${HANDED_EVENT}' limit 1`,
      [client.id, id],
    );
    if (rowCount) throw new AppError("conflict", { reason: "webhook_has_mails" });
    await db.query("delete from webhooks where client_id = $1 and id = $2", [client.id, id]);
    await forgetJobFailures(db, client.id, id);
    await note(db, actor, client, "webhook.removed", id, { url });
  });
}

/** Has a webhook wait; what happens meanwhile is kept for it. Throws `not_found`. */
export function pauseWebhook(actor: By, client: Client, id: string): Promise<Webhook> {
  return transaction(async (db) => {
    const before = await holdWebhook(client.id, id, db);
    if (before.paused_at === null) {
      await db.query("update webhooks set paused_at = $3, updated_at = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        now(),
      ]);
      await note(db, actor, client, "webhook.paused", id, {});
    }
    return shown(db, client, id);
  });
}

/** Has a paused, failing or disabled webhook told what waits, at once and in order. Throws `not_found`. */
export async function resumeWebhook(actor: By, client: Client, id: string): Promise<Webhook> {
  const webhook = await transaction(async (db) => {
    const { paused_at, disabled_at, failing_since } = await holdWebhook(client.id, id, db);
    if (paused_at || disabled_at || failing_since) {
      await db.query(
        `update webhooks set paused_at = null, disabled_at = null, disabled_reason = null, failing_since = null,
                failures = 0, next_try_at = null, last_error = null, updated_at = $3
          where client_id = $1 and id = $2`,
        [client.id, id, now()],
      );
      await db.query(
        `update webhook_deliveries set due_at = least(due_at, $3)
          where client_id = $1 and id = any(${heldDeliveries("state = 'pending' and attempts > 0")})`,
        [client.id, id, now()],
      );
      await enqueue(db, [{ name: "webhook/due", data: { client_id: client.id, webhook_id: id } }]);
      await note(db, actor, client, "webhook.resumed", id, {});
    }
    return shown(db, client, id);
  });
  wakeRelay();
  return webhook;
}

/**
 * Makes a new signing secret, which is in this answer and in no other. The one before signs too for a day, so that the
 * receiver can change in between. Throws `not_found`.
 */
export function rotateSecret(actor: By, client: Client, id: string): Promise<NewWebhook> {
  return transaction(async (db) => {
    const before = await holdWebhook(client.id, id, db);
    const until = new Date(now().getTime() + OVERLAP_HOURS * 3_600_000).toISOString();
    const secret = newSecret();
    // Each signs to the end of its day, also where somebody rotates again in it: a second click must not end the one that
    // the receiver goes by.
    const earlier = secretsAt(before, now()).map((one) => ({ ...one, until: one.until ?? until }));
    const secrets = [{ secret }, ...earlier.slice(0, MOST_EARLIER)];
    await db.query("update webhooks set secrets = $3, updated_at = $4 where client_id = $1 and id = $2", [
      client.id,
      id,
      sealedSecrets(secrets),
      now(),
    ]);
    await note(db, actor, client, "webhook.rotated", id, {});
    return { ...(await shown(db, client, id)), secret };
  });
}

async function shown(db: Db, client: Client, id: string): Promise<Webhook> {
  const row = await holdWebhook(client.id, id, db);
  return toWebhook(row, (await countWaiting(client.id, db)).get(id) ?? 0, now());
}

const note = (db: Db, actor: By, client: Client, action: AuditAction, id: string, detail: AuditDetail) =>
  recordAudit(db, { clientId: client.id, actor, action, subject: id, detail });
