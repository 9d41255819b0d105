import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/http/page";
import { seconds } from "@/lib/http/seconds";
import type { KindName } from "@/lib/integrations/kinds";
import { knownIntegration, selectIntegrations, toIntegration } from "@/lib/integrations/rows";
import type { DeliveryLine, Integration } from "@/lib/integrations/schema";

type Client = Pick<ClientRow, "id">;

export const listIntegrations = async (client: Client): Promise<Integration[]> =>
  (await selectIntegrations(client.id)).map(toIntegration);

/** A client's integration as it may be shown. Throws `not_found`. */
export const getIntegration = async (client: Client, kind: string): Promise<Integration> =>
  toIntegration(await knownIntegration(client.id, kind));

const PAGE = 50;
const ORDER = "deliveries.newest";

type Asked = { after?: string; outcome?: string };
type Row = Omit<DeliveryLine, "at"> & { at: Date };

/** A page of what an integration sent or read, newest first. Throws `invalid_cursor`. */
export async function listDeliveries(
  client: Client,
  kind: KindName,
  { after, outcome }: Asked = {},
): Promise<{ deliveries: DeliveryLine[]; next: string | null }> {
  const key = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]).key;
  const { rows } = await pool().query<Row & { created_at: Date }>(
    `select id, updated_at as at, created_at, kind, subject, outcome, reason, remote_id, attempts
       from deliveries
      where client_id = $1 and type = $2 and kind <> 'order_erased' and ($3::text is null or outcome = $3)
        ${key ? "and (created_at, id) < ($5::timestamptz, $6)" : ""}
      order by created_at desc, id desc limit $4`,
    [client.id, kind, outcome ?? null, PAGE + 1, ...(key ?? [])],
  );
  const last = rows.slice(0, PAGE).at(-1);
  const next = rows.length > PAGE && last ? [last.created_at.toISOString(), last.id] : null;
  return {
    deliveries: rows.slice(0, PAGE).map(({ created_at, at, ...row }) => ({ ...row, at: seconds(at) })),
    next: next && encodeCursor({ order: ORDER, key: next, began: null }),
  };
}
