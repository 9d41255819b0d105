import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import { type Db, pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";
import type { ErasedCounts } from "@/lib/privacy/erasure-batch";
import type { Person } from "@/lib/privacy/person";

// Pending erasures. A request is stored as long as rows are left to erase, with the person's identifier sealed.

const PURPOSE = "personal-data/1";
export const sealedColumns: SealedColumn[] = [
  {
    table: "deletion_requests",
    key: ["client_id", "id"],
    column: "sealed",
    purpose: PURPOSE,
  },
];

/** Seconds the API request gets to finish the erasure before the job takes over. */
const JOB_DELAY_SECONDS = 5;

/** Who requested the erasure, as in the audit. */
export type Requester = Pick<Actor, "kind" | "id">;

export type ErasureRequest = { id: string; person: Person; requester: Requester; removed: ErasedCounts; since: Date };

type Row = {
  id: string;
  sealed: Buffer;
  actor_kind: Requester["kind"];
  actor_id: string;
  removed: ErasedCounts;
  created_at: Date;
};

const toRequest = ({ id, actor_kind, actor_id, removed, created_at }: Row, person: Person): ErasureRequest => ({
  id,
  person,
  requester: { kind: actor_kind, id: actor_id },
  removed,
  since: created_at,
});

const columns = "id, sealed, actor_kind, actor_id, removed, created_at";

const hashOf = (clientId: string, person: Person): string =>
  person.by === "customer" ? personHash(clientId, "customer", person.id) : personHash(clientId, "email", person.email);

/** The person's open request, locked until the transaction ends. */
export async function lockRequest(db: Db, clientId: string, person: Person): Promise<ErasureRequest | null> {
  const { rows } = await db.query<Row>(
    `select ${columns} from deletion_requests where client_id = $1 and person_hash = $2 for update`,
    [clientId, hashOf(clientId, person)],
  );
  return rows[0] ? toRequest(rows[0], person) : null;
}

/** The person's open request, without a lock. */
export async function findRequestOf(clientId: string, person: Person): Promise<ErasureRequest | null> {
  const { rows } = await pool().query<Row>(
    `select ${columns} from deletion_requests where client_id = $1 and person_hash = $2`,
    [clientId, hashOf(clientId, person)],
  );
  return rows[0] ? toRequest(rows[0], person) : null;
}

/**
 * An open request by its id. Also null if the secret that sealed its person isn't configured: it is on hold until the
 * erasure is requested again or the secret is restored.
 */
export async function findRequest(clientId: string, id: string): Promise<ErasureRequest | null> {
  const { rows } = await pool().query<Row>(
    `select ${columns} from deletion_requests where client_id = $1 and id = $2`,
    [clientId, id],
  );
  const row = rows[0];
  if (!row) return null;
  const person = tryUnseal(PURPOSE, row.sealed);
  if (person !== null) return toRequest(row, JSON.parse(person) as Person);
  log.warn(
    { client: clientId, request: id },
    "an erasure is on hold: none of the configured secrets can decrypt whom it is about",
  );
  return null;
}

/** Opens a request, with the outbox event that starts the job. Returns false if one is open, which stays unchanged. */
export async function openRequest(db: PoolClient, clientId: string, request: ErasureRequest): Promise<boolean> {
  const { id, person, requester, removed, since } = request;
  const { rowCount } = await db.query(
    `insert into deletion_requests (client_id, id, person_hash, sealed, actor_kind, actor_id, removed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (client_id, person_hash) do nothing`,
    [
      clientId,
      id,
      hashOf(clientId, person),
      seal(PURPOSE, JSON.stringify(person)),
      requester.kind,
      requester.id,
      JSON.stringify(removed),
      since,
    ],
  );
  if (rowCount === 0) return false;
  await enqueue(db, [
    {
      name: "personal_data/deletion_requested",
      data: { client_id: clientId, request_id: id },
      delay_seconds: JOB_DELAY_SECONDS,
    },
  ]);
  return true;
}

/** Records what was erased so far, and that the request is being worked on. */
export async function touchRequest(db: Db, clientId: string, id: string, removed: ErasedCounts): Promise<void> {
  await db.query(
    "update deletion_requests set removed = $3, touched_at = clock_timestamp() where client_id = $1 and id = $2",
    [clientId, id, JSON.stringify(removed)],
  );
}

export async function closeRequest(db: Db, clientId: string, id: string): Promise<void> {
  await db.query("delete from deletion_requests where client_id = $1 and id = $2", [clientId, id]);
}

/** Requests without progress for ten minutes: their job failed permanently or was lost. */
export async function listStalledRequests(): Promise<{ client_id: string; request_id: string }[]> {
  const { rows } = await pool().query<{ client_id: string; request_id: string }>(
    `select client_id, id as request_id from deletion_requests
      where touched_at < clock_timestamp() - interval '10 minutes' order by touched_at limit 100`,
  );
  return rows;
}
