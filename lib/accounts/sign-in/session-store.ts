import type { SignedIn } from "@/lib/accounts/sign-in/user";
import { now } from "@/lib/platform/clock";
import { rowCache } from "@/lib/platform/db/cache";
import { type Db, pool } from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";
import { ipAddressOf } from "@/lib/platform/http/address";
import { newToken } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";

// A session is a row: the cookie names it, and every request checks the row (at most a second old).

/** User-Agent headers are long; this much identifies the browser. */
const AGENT_CHARACTERS = 300;
/** How often the use of a session is recorded. */
const RECORD_INTERVAL = "5 minutes";

type SessionRow = { user_id: string; session_version: number };

const cache = () =>
  rowCache<SessionRow>(
    "portal-sessions",
    async (id) => {
      const { rows } = await pool().query<SessionRow & { unnoted: boolean }>({
        name: "get-portal-session",
        text: `select user_id, session_version, last_seen_at < now() - interval '${RECORD_INTERVAL}' as unnoted
                 from portal_sessions where id = $1 and ended_at is null`,
        values: [id],
      });
      if (rows[0]?.unnoted) recordUse(id);
      return rows[0] ?? null;
    },
    (_id, row) => (row ? [`user:${row.user_id}`] : []),
  );

/** Doesn't delay the request. */
function recordUse(id: string): void {
  pool()
    .query("update portal_sessions set last_seen_at = now() where id = $1 and ended_at is null", [id])
    .catch((error) => log.warn({ err: error }, "could not record session usage"));
}

/** A session that hasn't ended, or null. */
export const findSession = (id: string): Promise<SessionRow | null> => cache().get(id);

/** Whether a session has its person's present version, read from the database without the cache. */
export async function isSessionValid(id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `select from portal_sessions s join users u on u.id = s.user_id and u.session_version = s.session_version
      where s.id = $1 and s.ended_at is null`,
    [id],
  );
  return rowCount === 1;
}

/** Opens a session after a sign-in. Returns its id. */
export async function openSession(
  { actor, sessionVersion }: Pick<SignedIn, "actor" | "sessionVersion">,
  headers: Headers,
): Promise<string> {
  const id = newToken();
  await (await prisma()).portalSession.create({
    data: {
      id,
      userId: actor.id,
      userAgent: headers.get("user-agent")?.slice(0, AGENT_CHARACTERS) ?? null,
      address: ipAddressOf(headers, undefined) || null,
      sessionVersion,
    },
    select: { id: true },
  });
  return id;
}

/** Ends one of a person's sessions; false if it isn't theirs. One that has ended stays as it is. */
export async function endSession(userId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    "update portal_sessions set ended_at = coalesce(ended_at, now()) where id = $1 and user_id = $2",
    [id, userId],
  );
  return rowCount === 1;
}

/** Ends all of a person's sessions except one, in the caller's transaction. Returns how many. */
export async function endSessions(db: Db, userId: string, exceptId: string | null = null): Promise<number> {
  const { count } = await (await prisma(db)).portalSession.updateMany({
    where: { userId, endedAt: null, ...(exceptId !== null && { id: { not: exceptId } }) },
    data: { endedAt: now() },
  });
  return count;
}

/** Deletes sessions whose cookies have expired, in bounded batches. Returns how many. */
export async function purgeSessions(): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from portal_sessions where id in (
       select id from portal_sessions where last_seen_at < now() - interval '30 days' limit 1000)`,
  );
  return rowCount ?? 0;
}
