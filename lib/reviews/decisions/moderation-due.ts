import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/**
 * The outbox event that queues pending items for the client's rules; enqueue it in the transaction that makes them
 * pending: `enqueue(db, [..., ...moderationDueEvents(client, "review", [id])])`. Empty if the client's team decides
 * everything. At most 1,000 ids; pass all items of a batch together, so that rules check them together.
 */
export const moderationDueEvents = (
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: ModeratedKind,
  ids: string[],
): OutboxEvent[] =>
  client.auto_moderate && ids.length > 0 ? [{ name: "moderation/due", data: { client_id: client.id, kind, ids } }] : [];

/**
 * SQL that inserts the event of {@link moderationDueEvents}; `rows` selects items of the kind as (client_id, id,
 * clock_at).
 */
export const moderationDueSql = (kind: ModeratedKind, rows: string): string =>
  `insert into outbox (client_id, name, data, clock_at)
   select c.id, 'moderation/due', jsonb_build_object('client_id', c.id, 'kind', '${kind}', 'ids', jsonb_agg(r.id)), max(r.clock_at)
   from (${rows}) r join clients c on c.id = r.client_id and c.auto_moderate group by c.id`;
