import { createHmac } from "node:crypto";
import type pg from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { enclosingTransaction } from "@/lib/platform/db/pool";
import { lastingKey } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { Contract } from "@/lib/platform/http/contract";
import { IDEMPOTENCY_KEY } from "@/lib/platform/http/idempotency-key";
import { wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";
import { personHashesIn } from "@/lib/privacy/person-hashes";

/** A response to send; `headers` are those of the call alone. */
export type ResponseParts = {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
};

/** A request with a key: its caller, client and content. */
export type IdempotentRequest = {
  key: string;
  actor: Actor;
  client: ClientRow | null;
  method: string;
  url: URL;
  body: unknown;
};

type Row = { body_hash: string; status: number; headers: Record<string, string>; answer: string | null };

/**
 * Runs a request once per Idempotency-Key: for 24 hours the same key with the same request gets the same response. Keys
 * are scoped to the caller and the client. The response is committed together with the changes (`transactional`), so a
 * crash leaves both or neither. Errors aren't stored, since they changed nothing; nor is 202, which callers repeat to
 * poll.
 *
 * Throws `idempotency_key_reused` for a different request with a known key, `conflict` while the first is running. The
 * first holds an advisory lock of its connection, so a process that dies blocks nothing.
 */
export async function withIdempotency(
  idempotency: Contract["idempotency"],
  request: IdempotentRequest,
  handle: () => Promise<ResponseParts>,
): Promise<ResponseParts> {
  const row = { scope: scopeOf(request), key: request.key, hash: hashOf(request) };
  const response = await enclosingTransaction((db, join) =>
    runOnce(db, row, request, idempotency === "transactional" ? () => join(handle) : handle),
  );
  wakeRelay(); // the call may have woken it before its outbox events were committed
  return response;
}

async function runOnce(
  db: pg.PoolClient,
  { scope, key, hash }: { scope: string; key: string; hash: string },
  request: IdempotentRequest,
  make: () => Promise<ResponseParts>,
): Promise<ResponseParts> {
  const { rows: locks } = await db.query<{ ours: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('idempotency_key|' || $1 || '|' || $2, 0)) as ours",
    [scope, key],
  );
  if (!locks[0]?.ours)
    throw new AppError("conflict", {
      reason: "request_in_progress",
      field: IDEMPOTENCY_KEY,
      headers: { "Retry-After": "1" },
    });
  const { rows } = await db.query<Row>(
    `select body_hash, status, headers, answer from idempotency_keys
      where scope = $1 and key = $2 and created_at > now() - interval '24 hours'`,
    [scope, key],
  );
  const stored = rows[0];
  if (stored && stored.body_hash !== hash)
    throw new AppError("idempotency_key_reused", { reason: "idempotency_key_reused", field: IDEMPOTENCY_KEY });
  if (stored)
    return {
      status: stored.status,
      headers: { ...stored.headers, "Idempotent-Replayed": "true" },
      body: stored.answer,
    };
  const response = await make();
  if (response.status < 300 && response.status !== 202)
    await storeResponse(db, { scope, key, hash }, request, response);
  return response;
}

async function storeResponse(
  db: pg.PoolClient,
  { scope, key, hash }: { scope: string; key: string; hash: string },
  { client, body }: IdempotentRequest,
  response: ResponseParts,
): Promise<void> {
  if (response.body instanceof ReadableStream) throw new Error("A streamed response can't be stored.");
  const answer =
    typeof response.body === "string" || response.body === null
      ? response.body
      : new TextDecoder().decode(response.body);
  // The people in it, so that an erasure deletes it, too; a response without a body contains none.
  const people = client && answer !== null ? personHashesIn(client.id, [body, JSON.parse(answer)]) : [];
  await db.query(
    `insert into idempotency_keys (scope, key, client_id, body_hash, status, headers, answer, people)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (scope, key) do update set client_id = excluded.client_id, body_hash = excluded.body_hash,
       status = excluded.status, headers = excluded.headers, answer = excluded.answer, people = excluded.people,
       created_at = excluded.created_at`,
    [scope, key, client?.id ?? null, hash, response.status, response.headers, answer, people],
  );
}

const scopeOf = ({ actor, client }: IdempotentRequest): string => `${actor.kind}:${actor.id}|${client?.id ?? ""}`;

/** Equal for equal requests. Keyed, since a body may contain an address that could be guessed from a plain hash. */
function hashOf({ method, url, body }: IdempotentRequest): string {
  const query = [...url.searchParams].filter(([name]) => name !== "token" && name !== "client_id");
  return createHmac("sha256", lastingKey("idempotency/1"))
    .update(JSON.stringify([method, url.pathname, query, body ?? null]))
    .digest("base64url");
}
