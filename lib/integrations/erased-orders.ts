import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";
import type { KindName } from "@/lib/integrations/kinds";
import { personHash } from "@/lib/personal-data/person-hash";

// Orders of erased people. The other system goes on telling of an order that is sent, paid back or only looked at again;
// with it the person would come back. Contacts likewise, where a system tells of them apart from orders.

/** Systems that orders come from. */
const orderKinds: KindName[] = ["commerce", "share"];

/** What went with a person: an order by its number, or a contact by the other system's id. */
export type ErasedWhat = "order" | "contact";

/** By a keyed hash, which tells nobody whose it was. */
export const erasedHash = (clientId: string, what: ErasedWhat, id: string): string => personHash(clientId, what, id);

/** Notes what came from another system and went with a person: whatever it tells of them later, they stay away. */
export async function noteErased(
  db: Db,
  clientId: string,
  type: KindName,
  what: ErasedWhat,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({
    id: newId("dlv"),
    subject: erasedHash(clientId, what, id),
  }));
  await db.query(
    `insert into deliveries (client_id, id, type, kind, subject, outcome)
     select $1, id, $2, $3, subject, 'skipped' from jsonb_to_recordset($4::jsonb) as g(id text, subject text)
      order by subject
     on conflict do nothing`,
    [clientId, type, `${what}_erased`, JSON.stringify(rows)],
  );
}

/**
 * Takes away what is noted of orders that are about to be stored (see `noteTaken`) and are this person's: they stay away,
 * as those that were stored do. To be called before the person's rows are looked for: an order that is being stored is
 * there by the time this answers. Answers how many.
 */
export async function forgetTaken(
  db: Db,
  clientId: string,
  whose: { customer: string } | { email: string },
): Promise<number> {
  const hash =
    "customer" in whose ? personHash(clientId, "customer", whose.customer) : personHash(clientId, "email", whose.email);
  const { rows } = await db.query<{ type: KindName; subject: string }>(
    `delete from deliveries where client_id = $1 and type = any($3) and outcome = 'pending' and kind = 'order'
        and payload->'people' ? $2 returning type, subject`,
    [clientId, hash, orderKinds],
  );
  for (const [type, taken] of Map.groupBy(rows, (row) => row.type))
    await noteErased(
      db,
      clientId,
      type,
      "order",
      taken.map(({ subject }) => subject),
    );
  return rows.length;
}

/** Which of them went with a person. */
export async function selectErased(
  db: Db,
  clientId: string,
  type: KindName,
  what: ErasedWhat,
  ids: string[],
): Promise<Set<string>> {
  const byHash = new Map(ids.map((id) => [erasedHash(clientId, what, id), id]));
  const { rows } = await db.query<{ subject: string }>({
    name: "integration-erased",
    text: `select subject from deliveries
            where client_id = $1 and type = $2 and target_id = '' and kind = $3 and subject = any($4)`,
    values: [clientId, type, `${what}_erased`, [...byHash.keys()]],
  });
  return new Set(rows.map(({ subject }) => byHash.get(subject) ?? ""));
}
