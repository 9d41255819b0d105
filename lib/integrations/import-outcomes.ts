import type { KindName } from "@/lib/integrations/kinds";
import { isOldFormat, type LastImport } from "@/lib/integrations/order-changes";
import { blockErasures, recordErased } from "@/lib/orders/erased-hashes";
import type { OrderInput } from "@/lib/orders/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import type { EncodedNotices } from "@/lib/platform/notices";
import { personHash } from "@/lib/platform/secrets/person-hash";

/** The last import of an order from another system. */
export type PreviousImport = LastImport & { remote_id: string | null };

export async function selectPreviousImports(
  db: Db,
  clientId: string,
  type: KindName,
  orderIds: string[],
): Promise<Map<string, PreviousImport>> {
  const { rows } = await db.query<{ subject: string; remote_id: string | null; fingerprint: string | null }>({
    name: "integration-previous",
    text: `select subject, remote_id, payload->>'fingerprint' as fingerprint from deliveries
            where client_id = $1 and type = $2 and target_id = '' and kind = 'order' and subject = any($3)`,
    values: [clientId, type, orderIds],
  });
  const outdated = rows.flatMap(({ subject, fingerprint }) => (isOldFormat(fingerprint) ? subject : []));
  const days = await selectDeliveryDates(db, clientId, outdated);
  return new Map(rows.map(({ subject, ...row }) => [subject, { ...row, days: days.get(subject) ?? new Map() }]));
}

/** Stored delivery dates by order and item. */
async function selectDeliveryDates(
  db: Db,
  clientId: string,
  orderIds: string[],
): Promise<Map<string, Map<string, string>>> {
  const days = new Map<string, Map<string, string>>();
  if (orderIds.length === 0) return days;
  const { rows } = await db.query<{ order_id: string; id: string; day: string }>(
    `select order_id, id, delivery_date::text as day from order_items
      where client_id = $1 and order_id = any($2) and delivery_date is not null`,
    [clientId, orderIds],
  );
  for (const { order_id, id, day } of rows) days.set(order_id, (days.get(order_id) ?? new Map()).set(id, day));
  return days;
}

/** An order of another system to import. */
export type OrderToImport = { order: OrderInput; remoteId: string };

/** Result of importing an order. `kind`: `order` if it was imported, `order_refused` if not. */
export type ImportOutcome = {
  kind: "order" | "order_refused";
  subject: string;
  outcome: "imported" | "failed";
  reason: string | null;
  remote_id: string;
  /** fingerprint of what was imported, so that unchanged orders are skipped */
  fingerprint: string | null;
  /** of a rejected order: its person as keyed hashes, by which an erasure finds it */
  people?: string[];
  /** of a rejected order: latest time at which it can have been placed; not recorded if the person was erased since */
  placed?: Date;
};

/** Outcome of a stored order. */
export const importedOutcome = (id: string, remoteId: string, fingerprint: string): ImportOutcome => ({
  kind: "order",
  subject: id,
  outcome: "imported",
  reason: null,
  remote_id: remoteId,
  fingerprint,
});

export type Buyer = { id: string; email?: string | null };

/** Outcome of a rejected order. `buyer`: its person, if it could be read. */
export const refusedOutcome = (
  clientId: string,
  {
    subject,
    remoteId,
    reason,
    buyer,
    placed,
  }: { subject: string; remoteId: string; reason: EncodedNotices } & (
    | { buyer: Buyer | null; placed: Date }
    | { buyer?: undefined; placed?: undefined }
  ),
): ImportOutcome => ({
  kind: "order_refused",
  subject,
  outcome: "failed",
  reason,
  remote_id: remoteId,
  fingerprint: null,
  ...(buyer && {
    placed,
    people: [
      personHash(clientId, "customer", buyer.id),
      ...(buyer.email ? [personHash(clientId, "email", buyer.email)] : []),
    ],
  }),
});

/**
 * Deletes a person's rejected orders of a commerce store, whose person isn't recorded elsewhere, and marks them as
 * erased, so that they aren't imported again. For data shares, see `deletePersonRows`. Returns their number.
 */
export async function deleteRefusedOrders(
  db: Db,
  clientId: string,
  owner: { customer: string } | { email: string },
): Promise<number> {
  const hash =
    "customer" in owner ? personHash(clientId, "customer", owner.customer) : personHash(clientId, "email", owner.email);
  const { rows } = await db.query<{ subject: string }>(
    `with held as (
       select id from deliveries
        where client_id = $1 and type = 'commerce' and target_id = '' and kind = 'order_refused' and payload->'people' ? $2
        order by subject for update)
     delete from deliveries where client_id = $1 and id in (select id from held) returning subject`,
    [clientId, hash],
  );
  const numbers = rows.map(({ subject }) => subject);
  await recordErased(db, clientId, "order", numbers);
  return numbers.length;
}

/**
 * Records outcomes of orders. An imported order is no longer rejected. Rejected orders that were erased with a person,
 * or placed by one before the erasure, aren't recorded.
 */
export async function recordOutcomes(
  db: Db,
  clientId: string,
  type: KindName,
  outcomes: ImportOutcome[],
): Promise<void> {
  if (outcomes.length === 0) return;
  await db.query({
    name: "integration-outcomes",
    text: `with outcomes as (
             select * from jsonb_to_recordset($3::jsonb)
               as f(id text, kind text, subject text, outcome text, reason text, remote_id text, fingerprint text, people jsonb,
                    placed timestamptz, gone jsonb)
              where kind = 'order' or not (
                exists (select from jsonb_array_elements_text(gone) as g(hash)
                          join erased_hashes e on e.client_id = $1 and e.hash = g.hash)
                or exists (select from jsonb_array_elements_text(people) as p(hash)
                             join erased_hashes e on e.client_id = $1 and e.hash = p.hash and e.erased_at >= f.placed))),
           taken as (
             delete from deliveries d using outcomes f
              where d.client_id = $1 and d.type = $2 and d.kind = 'order_refused' and f.kind = 'order'
                and d.subject in (f.subject, f.remote_id))
           insert into deliveries as d (client_id, id, type, kind, subject, outcome, reason, remote_id, payload, attempts)
           select $1, id, $2, kind, subject, outcome, reason, remote_id,
                  jsonb_strip_nulls(jsonb_build_object('fingerprint', fingerprint, 'people', people)), 1
             from outcomes order by kind, subject
           on conflict (client_id, type, target_id, kind, subject) do update
             set outcome = excluded.outcome, reason = excluded.reason, remote_id = excluded.remote_id,
                 payload = excluded.payload, attempts = d.attempts + 1, updated_at = now()`,
    values: [
      clientId,
      type,
      JSON.stringify(
        lastPerSubject(outcomes).map((outcome) => ({
          id: newId("dlv"),
          gone: [
            personHash(clientId, "order", outcome.subject),
            ...(type === "share" ? [personHash(clientId, "receipt", outcome.remote_id)] : []),
          ],
          ...outcome,
        })),
      ),
    ],
  });
}

/**
 * Records rejected orders. Blocks erasures meanwhile: earlier ones are detected here, later ones delete these records.
 */
export async function saveRefusedOrders(clientId: string, type: KindName, refused: ImportOutcome[]): Promise<void> {
  if (refused.length === 0) return;
  await transaction(async (db) => {
    await blockErasures(db, clientId);
    await recordOutcomes(db, clientId, type, refused);
  });
}

/** One statement can't write a row twice; the last outcome counts. */
const lastPerSubject = (outcomes: ImportOutcome[]): ImportOutcome[] => [
  ...new Map(outcomes.map((outcome) => [`${outcome.kind} ${outcome.subject}`, outcome])).values(),
];
