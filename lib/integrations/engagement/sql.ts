import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import { leaseHolder } from "@/lib/platform/db/lease-holder";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import type { EncodedNotices } from "@/lib/platform/notices";
import { storableText } from "@/lib/platform/storable-text";

// Deliveries to the engagement platform. For a review: `interaction` (remote id: the interaction's) and `attributes`
// (remote id: the contact's). For erasures: `interaction.removal`, `interaction.search` and `attributes.rewrite`, whose
// subjects are the platform's ids; they are deleted once done.

export const deliveryKinds = [
  "interaction",
  "attributes",
  "interaction.removal",
  "interaction.search",
  "attributes.rewrite",
] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Saved progress of a delivery. */
export type Progress = {
  contact?: string;
  /** `createdDate` of the interaction */
  created?: string;
  /** digest of the posted content, see `digestOf`: the review may be edited while the outcome is unknown */
  digest?: string;
  /** start of a post with an unknown outcome; the platform is searched before a retry */
  begun?: string;
  /** number of rejections */
  refusals?: number;
  /** when the platform first rejected an erasure */
  refused?: string;
  /** the last error */
  said?: EncodedNotices;
};

export type ClaimedDelivery = {
  client_id: string;
  id: string;
  kind: DeliveryKind;
  subject: string;
  remote_id: string | null;
  payload: Progress | null;
  attempts: number;
  created_at: Date;
  /** start of the time after which it's given up */
  since: Date;
};

/**
 * Claims up to `limit` due deliveries for `lease` milliseconds. `attempts` identifies the claim. Erasures are claimed
 * even for paused clients. Rows are selected once as an array: a plan could evaluate `in (…)` again for each row,
 * beyond `limit`.
 */
export async function claimDue(
  clientId: string,
  kinds: readonly DeliveryKind[],
  limit: number,
  lease: number,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool().query<ClaimedDelivery>({
    name: "engagement-claim",
    text: `update deliveries d
              set attempts = attempts + 1, due_at = now() + $4 * interval '1 ms', leased_by = $5, reason = null, updated_at = now()
            where d.client_id = $1 and d.id = any(array(
              select id from deliveries
               where client_id = $1 and type = 'engagement' and kind = any($2) and outcome = 'pending' and due_at <= now()
               order by due_at, id limit $3 for update skip locked))
           returning client_id, id, kind, subject, remote_id, payload, attempts, created_at,
                     coalesce(asked_at, created_at) as since`,
    values: [clientId, kinds, limit, lease, leaseHolder()],
  });
  return rows;
}

/** Milliseconds until the next delivery is due; null if none is pending. */
export async function msUntilNextDue(clientId: string): Promise<number | null> {
  const { rows } = await pool().query<{ wait: number | null }>(
    `select extract(epoch from min(due_at) - now())::float8 * 1000 as wait from deliveries
      where client_id = $1 and type = 'engagement' and outcome = 'pending' and due_at is not null`,
    [clientId],
  );
  const wait = rows[0]?.wait ?? null;
  return wait === null ? null : Math.max(0, wait);
}

/**
 * Milliseconds until another worker's lease ends; null if there is none. A lease left while no other worker should run
 * belongs to a killed process.
 */
export async function msUntilLeaseEnd(clientId: string): Promise<number | null> {
  const { rows } = await pool().query<{ wait: number | null }>(
    `select extract(epoch from min(due_at) - now())::float8 * 1000 as wait from deliveries
      where client_id = $1 and type = 'engagement' and outcome = 'pending' and attempts > 0 and reason is null and due_at > now()`,
    [clientId],
  );
  return rows[0]?.wait ?? null;
}

/**
 * Renews own leases that haven't expired. Postponed deliveries have a reason and aren't leased; locked rows are left to
 * the next renewal.
 */
export async function renewLeases(claimed: Iterable<ClaimedDelivery>, lease: number): Promise<void> {
  const leases = [...claimed].map(({ client_id, id, attempts }) => ({ client_id, id, attempts }));
  await pool().query(
    `update deliveries set due_at = now() + $2 * interval '1 ms' where (client_id, id) in (
       select d.client_id, d.id from deliveries d
         join jsonb_to_recordset($1::jsonb) as o(client_id text, id text, attempts int) using (client_id, id, attempts)
        where d.outcome = 'pending' and d.reason is null and d.due_at > now() for update of d skip locked)`,
    [JSON.stringify(leases), lease],
  );
}

const isOwnedSql = "client_id = $1 and id = $2 and attempts = $3 and outcome = 'pending'";
const ownerValues = ({ client_id, id, attempts }: ClaimedDelivery) => [client_id, id, attempts];

/** Records the outcome of a delivery if it's still claimed; false if it was deleted or claimed by another worker. */
export async function finishDelivery(
  delivery: ClaimedDelivery,
  {
    outcome,
    reason = null,
    remoteId = null,
    progress = {},
  }: {
    outcome: string;
    reason?: string | null;
    remoteId?: string | null;
    progress?: Progress;
  },
  db: Db = pool(),
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update deliveries set outcome = $4, reason = $5, remote_id = coalesce($6, remote_id), payload = $7, due_at = null, leased_by = null,
            updated_at = now()
      where ${isOwnedSql}`,
    [...ownerValues(delivery), outcome, reason, remoteId, JSON.stringify(progress)],
  );
  return rowCount === 1;
}

/** Postpones a delivery if it's still claimed, and enqueues its next attempt. */
export const rescheduleDelivery = (
  delivery: ClaimedDelivery,
  seconds: number,
  reason: string,
  progress: Progress,
): Promise<void> =>
  transaction(async (db) => {
    const { rowCount } = await db.query(
      `update deliveries set due_at = now() + $4 * interval '1 s', leased_by = null, reason = $5, payload = $6, updated_at = now() where ${isOwnedSql}`,
      [...ownerValues(delivery), seconds, reason, JSON.stringify(progress)],
    );
    if (rowCount === 1) await enqueueEngagementDelivery(db, delivery.client_id, seconds);
  });

/** Saves progress; false if the delivery was deleted or claimed by another worker. */
export async function saveDeliveryProgress(
  delivery: ClaimedDelivery,
  progress: Progress,
  db: Db = pool(),
): Promise<boolean> {
  const { rowCount } = await db.query(`update deliveries set payload = $4, updated_at = now() where ${isOwnedSql}`, [
    ...ownerValues(delivery),
    JSON.stringify(progress),
  ]);
  return rowCount === 1;
}

/**
 * Ends an interaction that isn't sent, and its contact's attributes. If the post may have succeeded (`begun`), the
 * attributes remain as failed, so that an erasure finds the contact. Returns false without changes if the delivery was
 * deleted or claimed by another worker.
 */
export const finishUnsentInteraction = (
  delivery: ClaimedDelivery,
  result: { outcome: "failed" | "skipped"; reason: string; progress?: Progress },
): Promise<boolean> =>
  transaction(async (db) => {
    if (!(await finishDelivery(delivery, result, db))) return false;
    const attributes = "client_id = $1 and type = 'engagement' and kind = 'attributes' and subject = $2 and outcome";
    const subjectValues = [delivery.client_id, delivery.subject];
    if (result.progress?.begun === undefined)
      // Including failed ones of an earlier attempt: they would add a nonexistent review to the contact's average.
      await db.query(`delete from deliveries where ${attributes} in ('pending', 'failed')`, subjectValues);
    else
      await db.query(
        `update deliveries set outcome = 'failed', reason = $3, due_at = null, updated_at = now() where ${attributes} = 'pending'`,
        [...subjectValues, result.reason],
      );
    return true;
  });

export type KnownInteraction = { subject: string; remote_id: string | null; outcome: string; digest: string | null };

/**
 * Deliveries of these interactions, and those with this contact and time that may have been posted and have no recorded
 * id. In one query: between two, a delivery could be retried or its worker could find the interaction.
 */
export async function selectKnownInteractions(
  clientId: string,
  ids: string[],
  contact: string,
  created: string,
): Promise<KnownInteraction[]> {
  const selectSql = (which: string) =>
    `select subject, remote_id, outcome, payload->>'digest' as digest from deliveries
      where client_id = $1 and type = 'engagement' and kind = 'interaction' and ${which}`;
  const unconfirmedSql = (outcome: string) =>
    selectSql(`outcome = '${outcome}' and remote_id is null
        and payload ? 'begun' and payload->>'contact' = $3 and payload->>'created' = $4`);
  const { rows } = await pool().query<KnownInteraction>(
    `${selectSql("remote_id = any($2)")} union all ${unconfirmedSql("pending")} union all ${unconfirmedSql("failed")}`,
    [clientId, ids.map((id) => storableText(id)), contact, created],
  );
  return rows;
}

/** Interactions that belong to a recorded delivery. */
export async function filterKnownInteractions(clientId: string, ids: string[]): Promise<Set<string>> {
  const { rows } = await pool().query<{ remote_id: string }>(
    "select remote_id from deliveries where client_id = $1 and type = 'engagement' and kind = 'interaction' and remote_id = any($2)",
    [clientId, ids.map((id) => storableText(id))],
  );
  const knownIds = new Set(rows.map(({ remote_id }) => remote_id));
  return new Set(ids.filter((id) => knownIds.has(storableText(id))));
}

export type ReviewToSend = {
  id: string;
  source: string;
  product_id: string | null;
  family_id: string | null;
  score: number;
  extract: string;
  accepted: boolean | null;
  verified_buyer: boolean;
  verified_email: boolean;
  customer_id: string | null;
  author_email: string | null;
  customer_email: string | null;
  created_at: Date;
};

export async function selectReview(clientId: string, id: string, db: Db = pool()): Promise<ReviewToSend | null> {
  const { rows } = await db.query<ReviewToSend>(
    `select r.id, r.source, r.product_id, r.family_id, r.score, r.extract, r.accepted, r.verified_buyer, r.verified_email,
            r.customer_id, r.author_email, c.email as customer_email, r.created_at
       from reviews r left join customers c on c.client_id = r.client_id and c.id = r.customer_id
      where r.client_id = $1 and r.id = $2`,
    [clientId, id],
  );
  return rows[0] ?? null;
}
