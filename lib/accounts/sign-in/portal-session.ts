import type { SignedIn } from "@/lib/accounts/sign-in/user";
import { now } from "@/lib/platform/clock";
import { rowCache } from "@/lib/platform/db/cache";
import { type Db, pool } from "@/lib/platform/db/pool";
import { prisma } from "@/lib/platform/db/prisma";
import { ipAddressOf } from "@/lib/platform/http/address";
import { newToken } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";

// A session is a row: the cookie names it, and what the row says is looked at with every request (at most a second old).

/** A browser tells of itself at length; this much says which one it is. */
const AGENT_CHARACTERS = 300;
/** How often it is written down that a session is in use. */
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

/** Not in the way of the request. */
function recordUse(id: string): void {
  pool()
    .query("update portal_sessions set last_seen_at = now() where id = $1 and ended_at is null", [id])
    .catch((error) => log.warn({ err: error }, "could not record session usage"));
}

/** A session that was not ended, or null. */
export const findSession = (id: string): Promise<SessionRow | null> => cache().get(id);

/** Whether a session is of its person's present version, asked of the database itself. */
export async function isSessionValid(id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `select from portal_sessions s join users u on u.id = s.user_id and u.session_version = s.session_version
      where s.id = $1 and s.ended_at is null`,
    [id],
  );
  return rowCount === 1;
}

/** Opens a session of somebody who just signed in. Answers its id. */
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

/** Ends one of a person's sessions; false where it is not theirs. One that has ended stays as it is. */
export async function endSession(userId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    "update portal_sessions set ended_at = coalesce(ended_at, now()) where id = $1 and user_id = $2",
    [id, userId],
  );
  return rowCount === 1;
}

/** Ends all of a person's sessions but one, in the caller's transaction. Answers how many. */
export async function endSessions(db: Db, userId: string, exceptId: string | null = null): Promise<number> {
  const { count } = await (await prisma(db)).portalSession.updateMany({
    where: { userId, endedAt: null, ...(exceptId !== null && { id: { not: exceptId } }) },
    data: { endedAt: now() },
  });
  return count;
}

/** Sessions that nobody came back to, in bounded batches; their cookies have run out. Answers how many went. */
export async function purgeSessions(): Promise<number> {
  const { rowCount } = await pool().query(
    `delete from portal_sessions where id in (
       select id from portal_sessions where last_seen_at < now() - interval '30 days' limit 1000)`,
  );
  return rowCount ?? 0;
}
