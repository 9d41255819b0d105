import { setTimeout as sleep } from "node:timers/promises";
import { reclaimDeliveries } from "@/lib/integrations/engagement/deliver-due";
import { reclaimEvents } from "@/lib/integrations/webhooks/deliver-due";
import { isHolderDeadSql } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { reclaimMails } from "@/lib/platform/mail/deliver-overdue";

/** A live process has its lock again this long after a database restart: it tries for 5 s and pauses for 1 s. */
const RECONNECT_GRACE_MS = 7_000;

/**
 * Releases leases of dead processes, which have no lock in two checks. Called before an engine starts, so that the runs
 * it takes over don't wait for leases to expire. Throws an AbortError if `stop` aborts in between.
 */
export async function reclaimLeases({
  stop,
  reconnectedMs = RECONNECT_GRACE_MS,
}: {
  stop?: AbortSignal;
  reconnectedMs?: number;
} = {}): Promise<void> {
  const { rows } = await pool().query<{ holder: number }>(
    `select distinct leased_by as holder from (
       select leased_by from mails where status = 'queued'
       union all select leased_by from deliveries where outcome = 'pending'
       union all select leased_by from webhook_deliveries where state = 'pending') leases
      where ${isHolderDeadSql("leased_by")}`,
  );
  if (rows.length === 0) return;
  await sleep(reconnectedMs, undefined, { signal: stop });
  const deadHolders = rows.map(({ holder }) => holder);
  await Promise.all([reclaimMails(deadHolders), reclaimDeliveries(deadHolders), reclaimEvents(deadHolders)]);
}
