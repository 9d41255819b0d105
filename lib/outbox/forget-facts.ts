import type { Db } from "@/lib/db/pool";
import { forgetRuns } from "@/lib/jobs/forget-runs";

/** Things by the name that facts call their ids: `{ order_id: ["100045"] }`. */
export type About = Readonly<Record<string, readonly string[]>>;

/**
 * Removes the facts about a client's things that were erased, told or not, and the runs they started, in the caller's
 * transaction. A fact that names a thing among others stays: the id it holds leads nowhere by then. Answers how many.
 */
export async function forgetFacts(db: Db, clientId: string, about: About): Promise<number> {
  const named = Object.entries(about).flatMap(([name, ids]) => ids.map((id) => ({ name, id })));
  if (named.length === 0) return 0;
  // Facts first: the relay may just be handing them to the engine, and its runs are to be seen by the next statement.
  // Facts about mails may name no client, the mails of the service itself.
  const facts = await db.query(
    `delete from outbox where id in (
       select id from outbox
        where (client_id = $1 or client_id is null) and exists (
          select from jsonb_each_text(data) as held(name, id)
           where (held.name, held.id) in (select * from unnest($2::text[], $3::text[])))
        order by id for update)`,
    [clientId, named.map(({ name }) => name), named.map(({ id }) => id)],
  );
  const runs = await forgetRuns(
    db,
    named.map(
      ({ name, id }): Record<string, string> =>
        name === "mail_id" ? { mail_id: id } : { client_id: clientId, [name]: id },
    ),
  );
  return (facts.rowCount ?? 0) + runs;
}
