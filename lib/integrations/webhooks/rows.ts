import { randomBytes } from "node:crypto";
import type { Webhook } from "@/lib/integrations/webhooks/schema";
import { MAX_COUNTED_EVENTS } from "@/lib/integrations/webhooks/values";
import { type Db, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type EncodedNotices, encodeNotices, withNotices } from "@/lib/platform/notices";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

export type WebhookRow = {
  client_id: string;
  id: string;
  url: string;
  sealed_url: Buffer;
  events: string[];
  secrets: Buffer;
  paused_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: "gone" | "failing" | null;
  failing_since: Date | null;
  failures: number;
  next_try_at: Date | null;
  last_sent_at: Date | null;
  last_error: string | null;
  created_at: Date;
};

const columns = `client_id, id, url, sealed_url, events, secrets, paused_at, disabled_at, disabled_reason, failing_since,
  failures, next_try_at, last_sent_at, last_error, created_at`;

/** A client's webhooks, oldest first. Stores have only a few. */
export async function selectWebhooks(clientId: string, db: Db = pool()): Promise<WebhookRow[]> {
  const text = `select ${columns} from webhooks where client_id = $1 order by created_at, id`;
  return (await db.query<WebhookRow>(text, [clientId])).rows;
}

export async function selectWebhook(clientId: string, id: string, db: Db = pool()): Promise<WebhookRow | null> {
  const text = `select ${columns} from webhooks where client_id = $1 and id = $2`;
  return (await db.query<WebhookRow>(text, [clientId, id])).rows[0] ?? null;
}

/**
 * Locks the webhook until the transaction ends. Events can still be written for it, unless it's locked for `update` to
 * delete it. Throws `not_found`.
 */
export async function lockWebhook(
  clientId: string,
  id: string,
  db: Db,
  how: "no key update" | "update" = "no key update",
): Promise<WebhookRow> {
  const text = `select ${columns} from webhooks where client_id = $1 and id = $2 for ${how}`;
  const row = (await db.query<WebhookRow>(text, [clientId, id])).rows[0];
  if (!row) throw new AppError("not_found", { reason: "webhook_not_found" });
  return row;
}

/**
 * SQL: ids of a webhook's deliveries (client $1, webhook $2) with a condition, locked by id. Erasures and workers lock
 * in the same order; in index order they could deadlock.
 */
export const lockedDeliveryIdsSql = (condition: string): string =>
  `array(select id from webhook_deliveries where client_id = $1 and webhook_id = $2 and ${condition}
          order by id for no key update)`;

/** Attempts to keep per delivery. */
const MAX_LOGGED_ATTEMPTS = 20;

/**
 * SQL: the attempt log with one more attempt, unless it contains it. Keeps the newest, oldest first. Null adds none.
 */
export const appendAttemptSql = (attempt: `$${number}`): string =>
  `case when ${attempt}::jsonb is null or attempt_log @> jsonb_build_array(${attempt}::jsonb) then attempt_log else (
     select jsonb_agg(kept.one order by kept.n) from (
       select one, n from jsonb_array_elements(attempt_log || jsonb_build_array(${attempt}::jsonb)) with ordinality as a(one, n)
        order by n desc limit ${MAX_LOGGED_ATTEMPTS}) kept) end`;

// Addresses of webhooks often contain a token in the query or path, so the full address is only stored sealed.
const ADDRESS = "webhooks.address/1";
const SECRETS = "webhooks.secrets/1";
export const sealedColumns: SealedColumn[] = [
  {
    table: "webhooks",
    key: ["client_id", "id"],
    column: "sealed_url",
    purpose: ADDRESS,
  },
  {
    table: "webhooks",
    key: ["client_id", "id"],
    column: "secrets",
    purpose: SECRETS,
  },
];

/** Visible characters of a path; too few to be a secret. */
const SHOWN_PATH_LENGTH = 8;
/** Replaces the rest of a path. No address contains it, since it would be percent-encoded. */
const ELLIPSIS = "…";

/** Stored forms of an address: the visible part, and the full address, sealed. */
export function sealAddress(url: string): { url: string; sealed_url: Buffer } {
  const { origin, pathname } = new URL(url);
  const path = pathname.length > SHOWN_PATH_LENGTH ? `${pathname.slice(0, SHOWN_PATH_LENGTH)}${ELLIPSIS}` : pathname;
  return { url: `${origin}${path}`, sealed_url: seal(ADDRESS, url) };
}

/** Throws `invalid_field` for a shortened address, whose full path is unknown. */
export function refuseShortenedAddress(url: string): void {
  if (url.includes(ELLIPSIS)) throw new AppError("invalid_field", { reason: "shortened_address", field: "url" });
}

/** The full address; null if the installation's secret changed since it was saved. */
export const unsealAddress = ({ sealed_url }: Pick<WebhookRow, "sealed_url">): string | null =>
  tryUnseal(ADDRESS, sealed_url);

/** Why nothing can be delivered after a change of the installation's secret; null if it can. */
export function unreadableReason(row: Pick<WebhookRow, "sealed_url" | "secrets">): EncodedNotices | null {
  if (unsealAddress(row) === null) return encodeNotices({ reason: "address_unreadable" });
  return tryUnseal(SECRETS, row.secrets) === null ? encodeNotices({ reason: "signing_secret_unreadable" }) : null;
}

/** A signing secret. After a rotation, the previous one also signs until `until` (ISO). */
export type WebhookSecret = { secret: string; until?: string };

export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

export const sealSigningSecrets = (secrets: WebhookSecret[]): Buffer => seal(SECRETS, JSON.stringify(secrets));

/** All currently valid secrets, newest first; empty if they are unreadable. */
export const activeSecrets = ({ secrets }: Pick<WebhookRow, "secrets">, moment: Date): WebhookSecret[] =>
  (JSON.parse(tryUnseal(SECRETS, secrets) ?? "[]") as WebhookSecret[]).filter(
    ({ until }) => until === undefined || Date.parse(until) > moment.getTime(),
  );

/** Number of pending events by webhook. */
export async function countPendingEvents(clientId: string, db: Db = pool()): Promise<Map<string, number>> {
  const { rows } = await db.query<{ webhook_id: string; count: number }>(
    `select h.id as webhook_id, (
         select count(*)::int from (
           select from webhook_deliveries d where d.client_id = h.client_id and d.webhook_id = h.id and d.state = 'pending'
            order by d.id limit ${MAX_COUNTED_EVENTS}) w) as count
       from webhooks h where h.client_id = $1`,
    [clientId],
  );
  return new Map(rows.map(({ webhook_id, count }) => [webhook_id, count]));
}

export function toWebhook(row: WebhookRow, pendingCount: number, moment: Date): Webhook {
  const old = activeSecrets(row, moment).find(({ until }) => until !== undefined)?.until;
  const toSeconds = (time: Date | null) => time && toIsoSeconds(time);
  const address = unsealAddress(row);
  const webhook: Webhook = {
    id: row.id,
    url: row.url,
    hidden: address !== null && new URL(address).href !== row.url,
    events: row.events,
    state: row.disabled_at ? "disabled" : row.paused_at ? "paused" : row.failing_since ? "failing" : "active",
    disabled_reason: row.disabled_reason,
    disabled_at: toSeconds(row.disabled_at),
    failing_since: toSeconds(row.failing_since),
    next_try_at: row.disabled_at || row.paused_at ? null : toSeconds(row.next_try_at),
    last_error: unreadableReason(row) ?? row.last_error,
    last_sent_at: toSeconds(row.last_sent_at),
    waiting: pendingCount,
    old_secret_until: old === undefined ? null : toIsoSeconds(new Date(old)),
    created_at: toIsoSeconds(row.created_at),
  };
  return withNotices(webhook, "last_error");
}
