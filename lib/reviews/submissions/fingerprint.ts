import { hash } from "node:crypto";
import { pool } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";
import { lastingKey } from "@/lib/platform/env";
import { perProcess } from "@/lib/platform/process";

/**
 * Identifies repeated public submissions: equal for equal `parts` of one client. Keyed, since it is derived from a
 * person's text and address. (For SHA-512/256, prefixing the key is as safe as HMAC.)
 */
export function fingerprintOf(clientId: string, kind: "review" | "question", parts: unknown[]): string {
  const key = perProcess("fingerprint-key", () => lastingKey("submission/1").toString("base64url"));
  return hash("sha512-256", key + JSON.stringify([clientId, kind, ...parts]), "base64url");
}

/** The id of the same submission within the last 60 seconds, or null. */
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
 * SQL CTE for statements that store submissions: from `given` (client_id, fingerprint, id) makes `taken`, which has for
 * each fingerprint the id of the first submission within a minute; rows with other ids are to be dropped. Rows are
 * locked in key order, so concurrent batches don't deadlock, and compared after locking, so a concurrent batch's write
 * counts.
 */
export const dedupeSql = `taken as (
  insert into submissions as s (client_id, fingerprint, subject_id)
  select client_id, fingerprint, id from given where fingerprint is not null order by client_id, fingerprint
  on conflict (client_id, fingerprint) do update set
    subject_id = case when s.created_at < now() - interval '60 seconds' then excluded.subject_id else s.subject_id end,
    created_at = case when s.created_at < now() - interval '60 seconds' then now() else s.created_at end
  returning client_id, fingerprint, subject_id)`;

/** Purges fingerprints, which are only used for a minute. */
export const purgeSubmissions = createPurge("submissions", {
  key: "client_id, fingerprint",
  timeColumn: "created_at",
  maxAge: "1 hour",
});
