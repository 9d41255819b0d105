import type { Db } from "@/lib/platform/db/pool";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { deleteRuns } from "../sql";

/** Ids of deleted things by their name in event data: `{ order_id: ["100045"] }`. */
export type EventSubjects = Readonly<Record<string, readonly string[]>>;

/**
 * Deletes outbox events about a client's erased things, relayed or not, and the runs they started, in the caller's
 * transaction. Keeps an event that names several things: its id no longer resolves. Returns the number deleted.
 */
export async function deleteOutboxEvents(db: Db, clientId: string, subjects: EventSubjects): Promise<number> {
  const matches = Object.entries(subjects).flatMap(([name, ids]) => ids.map((id) => ({ [name]: id })));
  if (matches.length === 0) return 0;
  const names = Object.keys(subjects);
  // Events about emails may have no client, such as those of the service itself. Unrelayed events are few and have no
  // index on their data, which would slow down every write. They come first: the relay may be delivering them, and
  // later statements must see the runs it creates.
  const withdrawn = await withdrawEvents(
    db,
    `id in (
       select id from outbox
        where relayed_at is null and (client_id = $1 or client_id is null)
          and (${names.map((_, index) => `data ->> $${index + 2}::text = any($${index + 2 + names.length}::text[])`).join(" or ")})
        order by id for update)`,
    [clientId, ...names, ...names.map((name) => subjects[name])],
  );
  const deleted = await db.query(
    `delete from outbox where relayed_at is not null and data @> any($2::jsonb[]) and (client_id = $1 or client_id is null)`,
    [clientId, matches.map((match) => JSON.stringify(match))],
  );
  return withdrawn.length + (deleted.rowCount ?? 0) + (await deleteRuns(db, clientId, matches));
}
