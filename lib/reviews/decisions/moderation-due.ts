import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";

/**
 * The fact that hands pending items to the client's rules, to be written by whoever makes them pending, in the same
 * transaction: `enqueue(db, [..., ...moderationDueEvents(client, "review", [id])])`. Nothing where the client's people decide
 * everything. At most a thousand ids; name all that are written together, so that they are judged together.
 */
export const moderationDueEvents = (
  client: Pick<ClientRow, "id" | "auto_moderate">,
  kind: ModeratedKind,
  ids: string[],
): OutboxEvent[] =>
  client.auto_moderate && ids.length > 0 ? [{ name: "moderation/due", data: { client_id: client.id, kind, ids } }] : [];

/** The same fact of {@link moderationDueEvents} within a statement: `rows` are items of the kind as (client_id, id, clock_at). */
export const moderationDueSql = (kind: ModeratedKind, rows: string): string =>
  `insert into outbox (client_id, name, data, clock_at)
   select c.id, 'moderation/due', jsonb_build_object('client_id', c.id, 'kind', '${kind}', 'ids', jsonb_agg(r.id)), max(r.clock_at)
   from (${rows}) r join clients c on c.id = r.client_id and c.auto_moderate group by c.id`;
