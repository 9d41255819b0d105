import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";
import { personHash } from "@/lib/personal-data/person-hash";

// Orders of erased people. A shop goes on telling of an order that is sent, paid back or only looked at again; with it the
// person would come back.

const ERASED = "order_erased";

/** An erased order by a keyed hash of its number, which tells nobody whose it was. */
const erasedHash = (clientId: string, orderId: string): string => personHash(clientId, "order", orderId);

/** Notes that orders which came from the shop went with a person: whatever the shop does with them later, they stay away. */
export async function noteErased(db: Db, clientId: string, orderIds: string[]): Promise<void> {
  if (orderIds.length === 0) return;
  const rows = orderIds.map((orderId) => ({ id: newId("dlv"), subject: erasedHash(clientId, orderId) }));
  await db.query(
    `insert into deliveries (client_id, id, type, kind, subject, outcome)
     select $1, id, 'commerce', '${ERASED}', subject, 'skipped' from jsonb_to_recordset($2::jsonb) as g(id text, subject text)
     on conflict do nothing`,
    [clientId, JSON.stringify(rows)],
  );
}

/** Which of the orders went with a person. */
export async function selectErased(db: Db, clientId: string, orderIds: string[]): Promise<Set<string>> {
  const byHash = new Map(orderIds.map((orderId) => [erasedHash(clientId, orderId), orderId]));
  const { rows } = await db.query<{ subject: string }>({
    name: "commerce-erased",
    text: `select subject from deliveries
            where client_id = $1 and type = 'commerce' and target_id = '' and kind = '${ERASED}' and subject = any($2)`,
    values: [clientId, [...byHash.keys()]],
  });
  return new Set(rows.map(({ subject }) => byHash.get(subject) ?? ""));
}
