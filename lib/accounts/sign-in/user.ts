import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Actor, scopesOf } from "@/lib/accounts/actor";
import { checkPassword, isDemoPassword } from "@/lib/accounts/sign-in/password";
import { findSession, isSessionValid } from "@/lib/accounts/sign-in/session-store";
import { CHECK_EVERY_READ, rowCache } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { env, secretKey } from "@/lib/platform/env";
import type { Role } from "@/lib/platform/http/contract";
import { perProcess } from "@/lib/platform/process";

type UserRow = {
  id: string;
  username: string;
  role: Role;
  account_id: string | null;
  locale: string | null;
  session_version: number;
  second_factor: boolean;
  demo: boolean;
  all_clients: boolean;
  clients: string[];
  /** roles at clients where they differ from `role` */
  roles: Record<string, Role>;
};

// Operators reach all clients; others those of their account or those named, read with the row.
const userColumns = `u.id, u.username, u.role, u.account_id, u.locale, u.session_version, u.totp_secret is not null as second_factor, u.demo, u.all_clients,
  array(select c.id from clients c where u.all_clients and c.account_id = u.account_id
        union select uc.client_id from user_clients uc where uc.user_id = u.id) as clients,
  (select coalesce(jsonb_object_agg(uc.client_id, uc.role), '{}') from user_clients uc
    where uc.user_id = u.id and uc.role is not null and not u.all_clients) as roles`;

const cache = () =>
  rowCache<UserRow>(
    "users",
    async (id) => {
      const { rows } = await pool().query<UserRow>({
        name: "get-user",
        text: `select ${userColumns} from users u where u.id = $1 and u.disabled_at is null`,
        values: [id],
      });
      return rows[0] ?? null;
    },
    (id) => [`user:${id}`],
  );

function toActor(row: UserRow): Actor {
  // With CANDOR_DEMO the demo's login is public, so it isn't an operator then.
  const role: Role = row.demo && row.role === "operator" && env().CANDOR_DEMO ? "admin" : row.role;
  return {
    kind: "user",
    id: row.id,
    name: row.username,
    role,
    ...(role === "operator" ? {} : { roles: new Map(Object.entries(row.roles)) }),
    scopes: scopesOf(role),
    clients: role === "operator" ? "all" : new Set(row.clients),
    accountId: row.account_id,
    hasAccountAccess: row.all_clients,
    language: row.locale,
  };
}

/**
 * The person of a session; null if the person was deleted or deactivated, the session ended, or it began before the
 * person's password or role changed.
 */
export async function actorOfSession(
  userId: string,
  sessionId: string,
): Promise<{ actor: Actor; demo: boolean } | null> {
  const [row, session] = await Promise.all([cache().get(userId), findSession(sessionId)]);
  if (!row || session?.user_id !== userId) return null;
  // Person and session are cached separately: a session that just changed the password must stay signed in.
  if (session.session_version !== row.session_version && !(await isSessionValid(sessionId))) return null;
  return { actor: { ...toActor(row), session: sessionId }, demo: row.demo };
}

/** The person of a sign-in whose password was just checked; null if deleted, deactivated or changed since. */
export async function findSignedIn(userId: string, sessionVersion: number): Promise<SignedIn | null> {
  const row = await cache().get(userId);
  return row && row.session_version === sessionVersion ? toSignedIn(row) : null;
}

export type SignedIn = {
  actor: Actor;
  demo: boolean;
  sessionVersion: number;
  secondFactor: boolean;
};

/**
 * The person with this user name and password, or null. Correct pairs are cached for a minute under a keyed hash, so
 * that Basic auth doesn't cost an Argon2 run per call; a change of password or role invalidates them.
 */
export async function signIn(username: string, password: string): Promise<SignedIn | null> {
  const cachedPairs = perProcess(
    "basic-pairs",
    () =>
      new LRUCache<string, { id: string; sessionVersion: number }>({
        max: 5_000,
        ttl: 60_000,
        ttlResolution: CHECK_EVERY_READ,
      }),
  );
  const pair = createHmac("sha256", secretKey("basic-pair/1"))
    .update(JSON.stringify([username, password]))
    .digest("base64");
  const known = cachedPairs.get(pair);
  if (known) {
    const row = await cache().get(known.id);
    if (row && row.session_version === known.sessionVersion) return toSignedIn(row);
    cachedPairs.delete(pair);
  }
  const { rows } = await pool().query<UserRow & { password_hash: string }>(
    `select ${userColumns}, u.password_hash from users u where u.username = $1 and u.disabled_at is null`,
    [username],
  );
  const row = rows[0];
  const isRight = row?.demo ? isDemoPassword(password) : await checkPassword(row?.password_hash ?? null, password);
  if (!row || !isRight) return null;
  cachedPairs.set(pair, { id: row.id, sessionVersion: row.session_version });
  return toSignedIn(row);
}

const toSignedIn = (row: UserRow): SignedIn => ({
  actor: toActor(row),
  demo: row.demo,
  sessionVersion: row.session_version,
  secondFactor: row.second_factor,
});
