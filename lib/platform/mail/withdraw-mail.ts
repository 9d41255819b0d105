import type { Db } from "@/lib/platform/db/pool";

/**
 * Takes back a queued mail that certainly has not gone, in the transaction of what makes it obsolete; its idempotency key
 * is free again. Answers whether it was taken back: one that is being handed over, or may have gone, stays.
 */
export async function withdrawMail(mailId: string, db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from mails where id = $1 and status = 'queued' and handed_at is null and doubtful_since is null",
    [mailId],
  );
  return rowCount === 1;
}
