import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { KindName } from "@/lib/integrations/kinds";
import { canRetryDelivery } from "@/lib/integrations/retry-deliveries";
import { requireIntegration, selectIntegration, selectIntegrations, toIntegration } from "@/lib/integrations/rows";
import type { DeliveryLine, Integration } from "@/lib/integrations/schema";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { withNotices } from "@/lib/platform/notices";

type Client = Pick<ClientRow, "id">;

export const listIntegrations = async (client: Client): Promise<Integration[]> =>
  (await selectIntegrations(client.id)).map(toIntegration);

/** A client's integration without secrets. Throws `not_found`. */
export const getIntegration = async (client: Client, kind: string): Promise<Integration> =>
  toIntegration(await requireIntegration(client.id, kind));

/** Like `getIntegration`, but null if the client has none of that kind. */
export async function findIntegration(client: Client, kind: KindName): Promise<Integration | null> {
  const row = await selectIntegration(client.id, kind);
  return row && toIntegration(row);
}

const PAGE = 50;
const ORDER = "deliveries.newest";

type DeliveryFilter = { after?: string; outcome?: string };
type Row = Omit<DeliveryLine, "at" | "due_at" | "retry"> & { at: Date; due_at: Date | null; created_at: Date };

const columns = `id, updated_at as at, created_at, kind, subject, outcome, reason, payload->>'said' as said, remote_id,
  attempts, due_at`;

const toDeliveryLine = (type: KindName, { created_at: _, at, due_at, ...row }: Row): DeliveryLine =>
  withNotices(
    {
      ...row,
      at: toIsoSeconds(at),
      due_at: row.outcome === "pending" && due_at ? toIsoSeconds(dueAt(row, due_at)) : null,
      retry: canRetryDelivery(type, row),
    },
    "reason",
    "said",
  );

/** A delivery in progress has no reason: it's due now, whatever its lease. */
const dueAt = ({ reason }: Pick<Row, "reason">, due: Date): Date => (reason === null && due > now() ? now() : due);

/** A page of an integration's deliveries, newest first. Throws `invalid_cursor`. */
export async function listDeliveries(
  client: Client,
  kind: KindName,
  { after, outcome }: DeliveryFilter = {},
): Promise<{ deliveries: DeliveryLine[]; next: string | null }> {
  const key = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]).key;
  const { rows } = await pool().query<Row>(
    `select ${columns} from deliveries
      where client_id = $1 and type = $2 and ($3::text is null or outcome = $3)
        ${key ? "and (created_at, id) < ($5::timestamptz, $6)" : ""}
      order by created_at desc, id desc limit $4`,
    [client.id, kind, outcome ?? null, PAGE + 1, ...(key ?? [])],
  );
  const last = rows.slice(0, PAGE).at(-1);
  const next = rows.length > PAGE && last ? [last.created_at.toISOString(), last.id] : null;
  return {
    deliveries: rows.slice(0, PAGE).map((row) => toDeliveryLine(kind, row)),
    next: next && encodeCursor({ order: ORDER, key: next, startedAt: null }),
  };
}

/** An integration's deliveries for one subject, in sending order. */
export async function listDeliveriesOf(client: Client, kind: KindName, subject: string): Promise<DeliveryLine[]> {
  const { rows } = await pool().query<Row>(
    `select ${columns} from deliveries where client_id = $1 and type = $2 and subject = $3 order by kind desc, id`,
    [client.id, kind, subject],
  );
  return rows.map((row) => toDeliveryLine(kind, row));
}
