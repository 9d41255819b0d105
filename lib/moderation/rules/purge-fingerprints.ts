import { pool } from "@/lib/platform/db/pool";
import { deleteExpiredFingerprints } from "./sql";

/** Removes up to `limit` prints of senders that have had their day. Answers how many. */
export const purgeFingerprints = (limit = 5_000): Promise<number> => deleteExpiredFingerprints(pool(), limit);
