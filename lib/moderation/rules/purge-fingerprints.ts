import { pool } from "@/lib/platform/db/pool";
import { deleteExpiredFingerprints } from "./sql";

/** Deletes up to `limit` expired sender fingerprints. Returns how many. */
export const purgeFingerprints = (limit = 5_000): Promise<number> => deleteExpiredFingerprints(pool(), limit);
