import { hash } from "node:crypto";
import { pool } from "@/lib/platform/db/pool";
import { purgeOf } from "@/lib/platform/db/purge";
import { lastingKey } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";

/**
 * What tells a repeated public submission from another one: equal for equal `parts` of one client. Keyed, since it is
 * made of somebody's words and address. (SHA-512/256 takes a key in front as safely as HMAC would.)
 */
export function fingerprintOf(clientId: string, kind: "review" | "question", parts: unknown[]): string {
  const key = perProcess("fingerprint-key", () => lastingKey("submission/1").toString("base64url"));
  return hash("sha512-256", key + JSON.stringify([clientId, kind, ...parts]), "base64url");
}

/** The id of the same submission of the last 60 seconds, or null. */
export async function findDuplicate(submission: {
  client_id: string;
  fingerprint: string | null;
}): Promise<string | null> {
  const { rows } = await pool().query<{ subject_id: string }>(
    `select subject_id from submissions
      where client_id = $1 and fingerprint = $2 and created_at >= now() - interval '60 seconds'`,
    [submission.client_id, submission.fingerprint],
  );
  return rows[0]?.subject_id ?? null;
}

/**
 * Part of a statement that stores submissions: from `given` (client_id, fingerprint, id) makes `taken`, which names for
 * each fingerprint the id of the first submission within a minute; rows of the others are to be dropped.
 * Taken in key order, so that two batches at once wait for each other and never for ever. The comparison is of the row
 * as it is when its turn comes, also where another batch wrote it in between.
 */
export const dedupeSql = `taken as (
  insert into submissions as s (client_id, fingerprint, subject_id)
  select client_id, fingerprint, id from given where fingerprint is not null order by client_id, fingerprint
  on conflict (client_id, fingerprint) do update set
    subject_id = case when s.created_at < now() - interval '60 seconds' then excluded.subject_id else s.subject_id end,
    created_at = case when s.created_at < now() - interval '60 seconds' then now() else s.created_at end
  returning client_id, fingerprint, subject_id)`;

/** Removes fingerprints, which tell repetitions apart for a minute only. */
export const purgeSubmissions = purgeOf("submissions", {
  key: "client_id, fingerprint",
  timeColumn: "created_at",
  maxAge: "1 hour",
});
