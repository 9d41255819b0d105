import type { Db } from "@/lib/platform/db/pool";
import type { Issue } from "@/lib/platform/issue";

/**
 * Node.js knows zones that PostgreSQL doesn't, such as AET, or only as an abbreviation of one offset, such as PST. With them,
 * queries by the store's days would fail, or have other days.
 */
export async function timeZoneIssues(db: Db, zone: string | undefined): Promise<Issue[]> {
  if (!zone) return [];
  const { rows } = await db.query("select from pg_timezone_names where lower(name) = lower($1)", [zone]);
  return rows.length > 0 ? [] : [{ field: "settings.config.time_zone", reason: "not_a_time_zone" }];
}
