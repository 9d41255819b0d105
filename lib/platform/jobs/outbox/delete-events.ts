import type { Db } from "@/lib/platform/db/pool";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { deleteRuns } from "../sql";

/** Things by the name that facts call their ids: `{ order_id: ["100045"] }`. */
export type EventSubjects = Readonly<Record<string, readonly string[]>>;

/**
 * Removes the facts about a client's things that were erased, told or not, and the runs they started, in the caller's
 * transaction. A fact that names a thing among others stays: the id it holds leads nowhere by then. Answers how many.
 */
export async function deleteOutboxEvents(db: Db, clientId: string, subjects: EventSubjects): Promise<number> {
  const matches = Object.entries(subjects).flatMap(([name, ids]) => ids.map((id) => ({ [name]: id })));
  if (matches.length === 0) return 0;
  const names = Object.keys(subjects);
  // Facts about mails may name no client, as the mails of the service itself. Those that are not told yet are few, and
  // have no index of their data, which whoever writes one would wait for. They come first: the relay may just be handing
  // them over, and what it makes of them is to be seen by the statements after.
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
