import { pool } from "@/lib/platform/db/pool";
import type { PurgeRows } from "@/lib/platform/db/purge";
import { deleteExpiredFingerprints } from "./sql";

/** Deletes up to `limit` expired sender fingerprints, of one client if given. Returns how many. */
export const purgeFingerprints: PurgeRows = (limit = 5_000, clientId = null) =>
  deleteExpiredFingerprints(pool(), limit, clientId);
