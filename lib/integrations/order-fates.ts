import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";
import type { KindName } from "@/lib/integrations/kinds";

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

/**
 * Notes that orders are about to be stored, before they are: whoever erases their person, even after a crash that came
 * in between, finds them noted as orders of the other system.
 */
export async function noteTaken(
  db: Db,
  clientId: string,
  type: KindName,
  orders: Pick<Fate, "subject" | "remote_id">[],
): Promise<void> {
  if (orders.length === 0) return;
  await db.query({
    name: "integration-taken",
    text: `insert into deliveries (client_id, id, type, kind, subject, outcome, remote_id)
           select $1, id, $2, 'order', subject, 'pending', remote_id
             from jsonb_to_recordset($3::jsonb) as f(id text, subject text, remote_id text) order by subject
           on conflict do nothing`,
    values: [clientId, type, JSON.stringify(orders.map((order) => ({ id: newId("dlv"), ...order })))],
  });
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

/** Writes what became of orders; what was refused and is taken now is refused no more. */
export async function keepFates(db: Db, clientId: string, type: KindName, fates: Fate[]): Promise<void> {
  if (fates.length === 0) return;
  await db.query({
    name: "integration-fates",
    text: `with fates as (
             select * from jsonb_to_recordset($3::jsonb)
               as f(id text, kind text, subject text, outcome text, reason text, remote_id text, fingerprint text)),
           taken as (
             delete from deliveries d using fates f
              where d.client_id = $1 and d.type = $2 and d.kind = 'order_refused' and f.kind = 'order'
                and d.subject in (f.subject, f.remote_id)),
           untaken as (
             delete from deliveries d using fates f
              where d.client_id = $1 and d.type = $2 and d.kind = 'order' and d.outcome = 'pending'
                and f.kind = 'order_refused' and d.subject = f.subject)
           insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, remote_id, payload, attempts)
           select $1, id, $2, kind, subject, outcome, reason, remote_id,
                  jsonb_build_object('fingerprint', fingerprint), 1
             from fates order by kind, subject
           on conflict (client_id, type, target_id, kind, subject) do update
             set outcome = excluded.outcome, reason = excluded.reason, remote_id = excluded.remote_id,
                 payload = excluded.payload, attempts = d.attempts + 1, updated_at = now()`,
    values: [clientId, type, JSON.stringify(oneEach(fates).map((fate) => ({ id: newId("dlv"), ...fate })))],
  });
}

/** One statement cannot write a row twice; the last word counts. */
const oneEach = (fates: Fate[]): Fate[] => [
  ...new Map(fates.map((fate) => [`${fate.kind} ${fate.subject}`, fate])).values(),
];
