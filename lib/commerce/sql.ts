import type { Db } from "@/lib/db/pool";
import { newId } from "@/lib/ids";

/** What is known of an order that came from the shop before. */
export type Known = { subject: string; remote_id: string | null; fingerprint: string | null };

export async function selectKnown(db: Db, clientId: string, orderIds: string[]): Promise<Map<string, Known>> {
  const { rows } = await db.query<Known>({
    name: "commerce-known",
    text: `select subject, remote_id, payload->>'fingerprint' as fingerprint from deliveries
            where client_id = $1 and type = 'commerce' and target_id = '' and kind = 'order' and subject = any($2)`,
    values: [clientId, orderIds],
  });
  return new Map(rows.map((row) => [row.subject, row]));
}

/**
 * Notes that orders are about to be stored, before they are: whoever erases their person, even after a crash that came
 * in between, finds them noted as orders of the shop.
 */
export async function noteTaken(
  db: Db,
  clientId: string,
  orders: Pick<Fate, "subject" | "remote_id">[],
): Promise<void> {
  if (orders.length === 0) return;
  await db.query({
    name: "commerce-taken",
    text: `insert into deliveries (client_id, id, type, kind, subject, outcome, remote_id)
           select $1, id, 'commerce', 'order', subject, 'pending', remote_id
             from jsonb_to_recordset($2::jsonb) as f(id text, subject text, remote_id text) order by subject
           on conflict do nothing`,
    values: [clientId, JSON.stringify(orders.map((order) => ({ id: newId("dlv"), ...order })))],
  });
}

/** What became of an order of the shop. `kind`: `order` for one that was taken, `order_refused` for one that was not. */
export type Fate = {
  kind: "order" | "order_refused";
  subject: string;
  outcome: "imported" | "failed";
  reason: string | null;
  remote_id: string;
  fingerprint: string | null;
};

/** Writes what became of orders; what was refused and is taken now is refused no more. */
export async function keepFates(db: Db, clientId: string, fates: Fate[]): Promise<void> {
  if (fates.length === 0) return;
  await db.query({
    name: "commerce-fates",
    text: `with fates as (
             select * from jsonb_to_recordset($2::jsonb)
               as f(id text, kind text, subject text, outcome text, reason text, remote_id text, fingerprint text)),
           taken as (
             delete from deliveries d using fates f
              where d.client_id = $1 and d.type = 'commerce' and d.kind = 'order_refused' and f.kind = 'order'
                and d.subject in (f.subject, f.remote_id)),
           untaken as (
             delete from deliveries d using fates f
              where d.client_id = $1 and d.type = 'commerce' and d.kind = 'order' and d.outcome = 'pending'
                and f.kind = 'order_refused' and d.subject = f.subject)
           insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, remote_id, payload, attempts)
           select $1, id, 'commerce', kind, subject, outcome, reason, remote_id,
                  jsonb_build_object('fingerprint', fingerprint), 1
             from fates order by kind, subject
           on conflict (client_id, type, target_id, kind, subject) do update
             set outcome = excluded.outcome, reason = excluded.reason, remote_id = excluded.remote_id,
                 payload = excluded.payload, attempts = d.attempts + 1, updated_at = now()`,
    values: [clientId, JSON.stringify(fates.map((fate) => ({ id: newId("dlv"), ...fate })))],
  });
}
