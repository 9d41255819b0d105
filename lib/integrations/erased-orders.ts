import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";
import type { KindName } from "@/lib/integrations/kinds";
import { personHash } from "@/lib/personal-data/person-hash";

// Orders of erased people. The other system goes on telling of an order that is sent, paid back or only looked at again;
// with it the person would come back. Contacts likewise, where a system tells of them apart from orders.

/** What went with a person: an order by its number, or a contact by the other system's id. */
export type ErasedWhat = "order" | "contact";

/** By a keyed hash, which tells nobody whose it was. */
const erasedHash = (clientId: string, what: ErasedWhat, id: string): string => personHash(clientId, what, id);

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
