import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";
import { erasedHash } from "@/lib/integrations/erased-orders";
import type { KindName } from "@/lib/integrations/kinds";
import type { OrderInput } from "@/lib/orders/schema";
import { personHash } from "@/lib/personal-data/person-hash";

/** What is known of an order that came from another system before. */
export type Known = {
  subject: string;
  remote_id: string | null;
  fingerprint: string | null;
};

export async function selectKnown(
  db: Db,
  clientId: string,
  type: KindName,
  orderIds: string[],
): Promise<Map<string, Known>> {
  const { rows } = await db.query<Known>({
    name: "integration-known",
    text: `select subject, remote_id, payload->>'fingerprint' as fingerprint from deliveries
            where client_id = $1 and type = $2 and target_id = '' and kind = 'order' and subject = any($3)`,
    values: [clientId, type, orderIds],
  });
  return new Map(rows.map((row) => [row.subject, row]));
}

/** An order of another system that is about to be stored. */
export type Taken = { order: OrderInput; remoteId: string };

/**
 * Notes that orders are about to be stored, before they are, with whose they are as keyed hashes: whoever erases that person
 * meanwhile takes the note away, and the order is not stored (see `forgetTaken`).
 */
export async function noteTaken(db: Db, clientId: string, type: KindName, orders: Taken[]): Promise<void> {
  if (orders.length === 0) return;
  const rows = orders.map(({ order: { id, customer }, remoteId }) => ({
    id: newId("dlv"),
    subject: id,
    remote_id: remoteId,
    people: [
      personHash(clientId, "customer", customer.id),
      ...(customer.email ? [personHash(clientId, "email", customer.email)] : []),
    ],
  }));
  await db.query({
    name: "integration-taken",
    text: `insert into deliveries as d (client_id, id, type, kind, subject, outcome, remote_id, payload)
           select $1, id, $2, 'order', subject, 'pending', remote_id, jsonb_build_object('people', people)
             from jsonb_to_recordset($3::jsonb) as f(id text, subject text, remote_id text, people jsonb) order by subject
           on conflict (client_id, type, target_id, kind, subject) do update set payload = excluded.payload
            where d.outcome = 'pending'`,
    values: [clientId, type, JSON.stringify(rows)],
  });
}

/** Holds such notes until the transaction ends: an erasure that would take one away waits, or is over. */
export async function holdTaken(db: Db, clientId: string, type: KindName, orderIds: string[]): Promise<void> {
  await db.query({
    name: "integration-hold-taken",
    text: `select from deliveries where client_id = $1 and type = $2 and target_id = '' and kind = 'order'
              and subject = any($3) and outcome = 'pending' order by subject for update`,
    values: [clientId, type, orderIds],
  });
}

/** Removes the notes of orders that are not stored after all. */
export async function dropTaken(db: Db, clientId: string, type: KindName, orderIds: string[]): Promise<void> {
  await db.query(
    `delete from deliveries where client_id = $1 and type = $2 and target_id = '' and kind = 'order' and subject = any($3)
        and outcome = 'pending'`,
    [clientId, type, orderIds],
  );
}

/** What became of an order of another system. `kind`: `order` for one that was taken, `order_refused` for one that was not. */
export type Fate = {
  kind: "order" | "order_refused";
  subject: string;
  outcome: "imported" | "failed";
  reason: string | null;
  remote_id: string;
  /** what it said, so that one that says the same again is left alone */
  fingerprint: string | null;
};

/** The fate of an order that is stored. */
export const importedOrder = (id: string, remoteId: string, fingerprint: string): Fate => ({
  kind: "order",
  subject: id,
  outcome: "imported",
  reason: null,
  remote_id: remoteId,
  fingerprint,
});

/**
 * Writes what became of orders; what was refused and is taken now is refused no more. Of an order that went with an erased
 * person nothing is said.
 */
export async function keepFates(db: Db, clientId: string, type: KindName, fates: Fate[]): Promise<void> {
  if (fates.length === 0) return;
  await db.query({
    name: "integration-fates",
    text: `with fates as (
             select * from jsonb_to_recordset($3::jsonb)
               as f(id text, kind text, subject text, outcome text, reason text, remote_id text, fingerprint text, erased text)
              where kind = 'order' or not exists (
                select from deliveries e where e.client_id = $1 and e.type = $2 and e.target_id = ''
                   and e.kind = 'order_erased' and e.subject = f.erased)),
           taken as (
             delete from deliveries d using fates f
              where d.client_id = $1 and d.type = $2 and d.kind = 'order_refused' and f.kind = 'order'
                and d.subject in (f.subject, f.remote_id))
           insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, remote_id, payload, attempts)
           select $1, id, $2, kind, subject, outcome, reason, remote_id,
                  jsonb_build_object('fingerprint', fingerprint), 1
             from fates order by kind, subject
           on conflict (client_id, type, target_id, kind, subject) do update
             set outcome = excluded.outcome, reason = excluded.reason, remote_id = excluded.remote_id,
                 payload = excluded.payload, attempts = d.attempts + 1, updated_at = now()`,
    values: [
      clientId,
      type,
      JSON.stringify(
        oneEach(fates).map((fate) => ({
          id: newId("dlv"),
          erased: erasedHash(clientId, "order", fate.subject),
          ...fate,
        })),
      ),
    ],
  });
}

/** One statement cannot write a row twice; the last word counts. */
const oneEach = (fates: Fate[]): Fate[] => [
  ...new Map(fates.map((fate) => [`${fate.kind} ${fate.subject}`, fate])).values(),
];
