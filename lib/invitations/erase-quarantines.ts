import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { rulesOf } from "@/lib/invitations/rules";
import { dayIn, now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { PurgeRows } from "@/lib/platform/db/purge";
import { deleteEndedQuarantines, shortenQuarantines } from "./sql";

/**
 * Deletes ended cooldowns and sets when the running ones are deleted, in the caller's transaction. A running one keeps
 * its keyed hash until it ends, so that an erased person isn't emailed sooner than others.
 */
export async function eraseQuarantines(db: Db, clientId: string, hashes: string[]): Promise<void> {
  const client = await readClient(db, clientId);
  if (client) await shortenQuarantines(db, clientId, hashes, rulesOf(client).quarantineDays, dayIn(timeZoneOf(client)));
}

/** Deletes up to `limit` ended cooldowns of erased people, of one client if given, in any time zone. Returns how many. */
export const purgeEndedQuarantines: PurgeRows = (limit = 5_000, clientId = null) =>
  deleteEndedQuarantines(pool(), addDays(dayIn("UTC", now()), -1), limit, clientId);
