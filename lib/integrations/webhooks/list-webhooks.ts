import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { nextAttemptAt } from "@/lib/integrations/webhooks/retry-delays";
import {
  countPendingEvents,
  selectWebhook,
  selectWebhooks,
  toWebhook,
  type WebhookRow,
} from "@/lib/integrations/webhooks/rows";
import type { Webhook, WebhookDelivery } from "@/lib/integrations/webhooks/schema";
import { failedCondition } from "@/lib/integrations/webhooks/values";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { withNotices } from "@/lib/platform/notices";

type Client = Pick<ClientRow, "id">;

export async function listWebhooks(client: Client): Promise<Webhook[]> {
  const [rows, pendingCounts] = await Promise.all([selectWebhooks(client.id), countPendingEvents(client.id)]);
  return rows.map((row) => toWebhook(row, pendingCounts.get(row.id) ?? 0, now()));
}

/** Throws `not_found`. */
export async function getWebhook(client: Client, id: string): Promise<Webhook> {
  const [row, pendingCounts] = await Promise.all([selectWebhook(client.id, id), countPendingEvents(client.id)]);
  if (!row) throw new AppError("not_found", { reason: "webhook_not_found" });
  return toWebhook(row, pendingCounts.get(id) ?? 0, now());
}

/** Clients with webhooks, for operators. */
export async function listClientsWithWebhooks(): Promise<{ id: string }[]> {
  return (await pool().query<{ id: string }>("select distinct client_id as id from webhooks order by 1")).rows;
}

const PAGE = 50;
const ORDER = "webhook_deliveries.newest";

type DeliveryFilter = { after?: string; state?: string };
type Row = Omit<WebhookDelivery, "id" | "happened_at" | "due_at" | "tried_at"> & {
  id: number;
  happened_at: Date;
  due_at: Date;
  tried_at: Date | null;
  leased_by: number | null;
};

const columns =
  "id, message_id, event, subject, happened_at, state, attempts, due_at, tried_at, leased_by, status, error, attempt_log";

function toDelivery(
  { id, happened_at, due_at, tried_at, leased_by, ...row }: Row,
  webhook: WebhookRow,
): WebhookDelivery {
  const next = row.state === "pending" ? nextAttemptAt({ due_at, tried_at, leased_by }, webhook) : null;
  const delivery = {
    ...row,
    id: String(id),
    happened_at: toIsoSeconds(happened_at),
    due_at: next && toIsoSeconds(next),
    tried_at: tried_at && toIsoSeconds(tried_at),
    attempt_log: row.attempt_log.map((attempt) => withNotices(attempt, "error")),
  };
  return withNotices(delivery, "error");
}

/** Maximum deliveries per subject, newest first. */
const MAX_PER_SUBJECT = 200;

/** All webhook deliveries of a client for one subject, oldest first, by webhook. */
export async function listDeliveriesBySubject(
  client: Client,
  subject: string,
): Promise<{ id: string; url: string; deliveries: WebhookDelivery[] }[]> {
  const [webhooks, { rows }] = await Promise.all([
    selectWebhooks(client.id),
    pool().query<Row & { webhook_id: string }>(
      `select webhook_id, ${columns} from webhook_deliveries where client_id = $1 and subject = $2
        order by id desc limit $3`,
      [client.id, subject, MAX_PER_SUBJECT],
    ),
  ]);
  const deliveries = rows.reverse();
  return webhooks
    .map((webhook) => ({
      id: webhook.id,
      url: webhook.url,
      deliveries: deliveries
        .filter(({ webhook_id }) => webhook_id === webhook.id)
        .map(({ webhook_id: _, ...row }) => toDelivery(row, webhook)),
    }))
    .filter(({ deliveries }) => deliveries.length > 0);
}

/**
 * A page of a webhook's deliveries, newest first. With state `failed`, only events that were given up. Throws
 * `invalid_cursor`.
 */
export async function listWebhookDeliveries(
  client: Client,
  webhookId: string,
  { after, state }: DeliveryFilter = {},
): Promise<{ deliveries: WebhookDelivery[]; next: string | null }> {
  const key = after === undefined ? [null] : decodeCursor(after, ORDER, ["text"]).key;
  const beforeId = key[0] === null || /^\d{1,18}$/.test(String(key[0])) ? key[0] : null;
  const [webhook, { rows }] = await Promise.all([
    selectWebhook(client.id, webhookId),
    pool().query<Row>(
      `select ${columns} from webhook_deliveries
        where client_id = $1 and webhook_id = $2 and ($4::bigint is null or id < $4)
          and ($3::text is null or state = $3 and (state <> 'failed' or ${failedCondition}))
        order by id desc limit $5`,
      [client.id, webhookId, state ?? null, beforeId, PAGE + 1],
    ),
  ]);
  if (!webhook) return { deliveries: [], next: null };
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    deliveries: shown.map((row) => toDelivery(row, webhook)),
    next: rows.length > PAGE && last ? encodeCursor({ order: ORDER, key: [String(last.id)], startedAt: null }) : null,
  };
}
