import type { Db } from "@/lib/platform/db/pool";

/**
 * Deletes a queued email that was definitely not sent, in the transaction that makes it obsolete; its idempotency key
 * can be used again. Returns false if it's being sent or may have been.
 */
export async function withdrawMail(mailId: string, db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from mails where id = $1 and status = 'queued' and handed_at is null and doubtful_since is null",
    [mailId],
  );
  return rowCount === 1;
}
