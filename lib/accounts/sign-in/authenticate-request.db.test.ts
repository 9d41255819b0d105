import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createKey, listKeys, revokeKey } from "@/lib/accounts/api-keys";
import { createUser } from "@/lib/accounts/create-user";
import { authenticateRequest, authenticateSession, isSameOrigin } from "@/lib/accounts/sign-in/authenticate-request";
import { writeKeyUses } from "@/lib/accounts/sign-in/key-uses";
import { hashPassword } from "@/lib/accounts/sign-in/password";
import { startCacheListener } from "@/lib/platform/db/cache";
import { secretKey } from "@/lib/platform/env";
import { basicHeader } from "@/lib/tools/test/call";
import { aClient, aKey, aUser, rowsOf, type TestClient, uniqueName } from "@/lib/tools/test/factories";

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
});

const request = (headers: Record<string, string>, query = "") =>
  authenticateRequest({
    headers: new Headers(headers),
    url: new URL(`http://localhost:3000/v1/orders${query}`),
    method: "GET",
    address: "127.0.0.1",
  });
const byKey = (secret: string) => request({ authorization: `Bearer ${secret}` });
const byPair = (username: string, password: string) => request({ authorization: basicHeader(username, password) });
const refused = { code: "unauthorized", headers: { "WWW-Authenticate": 'Basic realm="Candor"' } };

// Caches use this clock: tests advance or stop it.
const real = performance.now.bind(performance);
let ahead = 0;
beforeAll(() => void vi.spyOn(performance, "now").mockImplementation(() => real() + ahead));
afterAll(() => vi.restoreAllMocks());

/** Expires what caches hold: they trust an entry for a second. */
async function aSecondLater(seconds = 1): Promise<void> {
  ahead += seconds * 1_000 + 1;
  await sleep(5); // the cache reads the clock once a millisecond
}
const isRefused = (work: Promise<unknown>) =>
  work.then(
    () => false,
    (error) => error.code === "unauthorized",
  );

describe("API keys", () => {
  it("reach exactly their clients, by each authentication method", async () => {
    const { id, secret } = await aKey([shop.id], ["read"]);
    const actor = { kind: "key", id, role: "admin", scopes: ["read"], clients: new Set([shop.id]) };
    expect(await byKey(secret)).toMatchObject(actor);
    expect(await byPair(secret, "")).toMatchObject(actor);
    expect(await request({}, `?token=${secret}`)).toMatchObject(actor);
    expect(await request({ authorization: `bEARER   ${secret} ` })).toMatchObject(actor);
  });

  it("are rejected a second after they are revoked, even if the notification is lost", async () => {
    const { id, secret } = await aKey([shop.id]);
    expect(await byKey(secret)).toMatchObject({ id });
    await revokeKey(id);
    await aSecondLater();
    expect(await isRefused(byKey(secret))).toBe(true);
    await revokeKey(id);
    expect((await listKeys([shop.id])).find((key) => key.id === id)?.revoked_at).toBeInstanceOf(Date);
    await expect(revokeKey("key_none")).rejects.toMatchObject({ code: "not_found" });
  });

  it("are rejected as soon as the notification arrives, whichever process revoked them", async () => {
    const { id, secret } = await aKey([shop.id]);
    const other = await aKey([shop.id]);
    const stop = startCacheListener();
    try {
      const listening =
        "select from pg_stat_activity where query = 'listen candor_cache' and datname = current_database()";
      await expect.poll(() => rowsOf(listening)).not.toEqual([]);
      // The cache's clock stands still, so only the notification can invalidate its entries.
      const still = performance.now();
      vi.mocked(performance.now).mockImplementation(() => still);
      expect([await isRefused(byKey(secret)), await isRefused(byKey(other.secret))]).toEqual([false, false]);
      await promisify(execFile)(process.execPath, ["--import", "tsx", "app/_admin.ts", "key", "revoke", id]);
      await expect.poll(() => isRefused(byKey(secret))).toBe(true);
      expect(await isRefused(byKey(other.secret))).toBe(false);
    } finally {
      vi.mocked(performance.now).mockImplementation(() => real() + ahead);
      await stop();
    }
  }, 30_000);

  it("lose access to a deleted client", async () => {
    const client = await aClient();
    const { secret } = await aKey([client.id, shop.id]);
    await byKey(secret);
    await rowsOf("delete from clients where id = $1", [client.id]);
    await aSecondLater();
    expect((await byKey(secret)).clients).toEqual(new Set([shop.id]));
  });

  it("are only stored as hashes", async () => {
    const { secret } = await aKey([shop.id]);
    await byKey(secret);
    const tables = await rowsOf("select tablename as name from pg_tables where schemaname = 'public'");
    for (const { name } of tables)
      expect(await rowsOf(`select from "${name}" t where t::text like $1`, [`%${secret.slice(3)}%`])).toEqual([]);
  });

  it("need clients that exist", async () => {
    await expect(createKey({ clients: [] })).rejects.toMatchObject({ code: "invalid_field" });
    await expect(createKey({ clients: [shop.id, "none"] })).rejects.toMatchObject({ code: "not_found" });
  });

  it("record their last use, once a minute and in batches", async () => {
    const keys = await Promise.all([aKey([shop.id]), aKey([shop.id]), aKey([shop.id])]);
    const used = keys.slice(0, 2);
    const lines = async () => {
      const rows = await rowsOf("select id, last_used_at, xmin::text as written from api_keys where id = any($1)", [
        keys.map(({ id }) => id),
      ]);
      return keys.map(({ id }) => rows.find((row) => row.id === id));
    };
    const useAll = () => Promise.all(used.flatMap(({ secret }) => Array.from({ length: 50 }, () => byKey(secret))));
    await useAll();
    // Written in the background, a moment later.
    await expect
      .poll(async () => (await lines()).map((line) => line.last_used_at))
      .toEqual([expect.any(Date), expect.any(Date), null]);
    const first = await lines();
    expect(first[0].written).toBe(first[1].written); // one statement
    await useAll();
    await writeKeyUses();
    expect(await lines()).toEqual(first);
    // Another process recorded them within the minute.
    await aSecondLater(60);
    await useAll();
    await writeKeyUses();
    expect(await lines()).toEqual(first);
    await rowsOf("update api_keys set last_used_at = now() - interval '61 s' where id = $1", [used[0]?.id]);
    await aSecondLater(60);
    await useAll();
    await writeKeyUses();
    const [again, other] = await lines();
    expect(Date.now() - again.last_used_at).toBeLessThan(60_000);
    expect(other).toEqual(first[1]);
  });

  it("reject duplicate scopes", async () => {
    const { id } = await aKey([shop.id, shop.id], ["read", "write", "read"]);
    expect((await listKeys([shop.id])).find((key) => key.id === id)).toMatchObject({
      scopes: ["read", "write"],
      clients: [shop.id],
    });
  });
});

describe("portal logins", () => {
  it("have the access of the person and role", async () => {
    const viewer = await aUser("viewer", { clients: [shop.id] });
    expect(await byPair(viewer.username, viewer.password)).toMatchObject({
      kind: "user",
      role: "viewer",
      scopes: ["read"],
      clients: new Set([shop.id]),
    });
    const operator = await aUser("operator");
    expect(await byPair(operator.username, operator.password)).toMatchObject({ role: "operator", clients: "all" });
  });

  it("accept passwords with colons and non-ASCII characters", async () => {
    const { username, password } = await createUser({
      username: "åsa",
      role: "viewer",
      clients: [shop.id],
      password: "a:b:ç-灯-💡-x",
    });
    expect(await byPair(username, password)).toMatchObject({ name: "åsa" });
  });

  it("are rejected with a wrong password, the same for known and unknown names", async () => {
    const { username } = await aUser("viewer", { clients: [shop.id] });
    await expect(byPair(username, "wrong")).rejects.toMatchObject(refused);
    await expect(byPair("nobody", "wrong")).rejects.toMatchObject(refused);
  });

  it("stop working within a second after password, role or state changed", async () => {
    const { username, password } = await aUser("moderator", { clients: [shop.id] });
    await byPair(username, password);
    await byPair(username, password); // cached by now
    await rowsOf("update users set password_hash = $2, session_version = session_version + 1 where username = $1", [
      username,
      await hashPassword("another password"),
    ]);
    await aSecondLater();
    expect(await isRefused(byPair(username, password))).toBe(true);
    expect(await byPair(username, "another password")).toMatchObject({ role: "moderator" });
    await rowsOf("update users set role = 'viewer', session_version = session_version + 1 where username = $1", [
      username,
    ]);
    await aSecondLater();
    expect((await byPair(username, "another password")).role).toBe("viewer");
    await rowsOf("update users set disabled_at = now() where username = $1", [username]);
    await aSecondLater();
    expect(await isRefused(byPair(username, "another password"))).toBe(true);
  });

  it("are rejected for people with two-factor authentication", async () => {
    const { username, password } = await aUser("admin", { clients: [shop.id] });
    await rowsOf("update users set totp_secret = '\\x00' where username = $1", [username]);
    await expect(byPair(username, password)).rejects.toMatchObject(refused);
  });
});

describe("sessions", () => {
  const cookieOf = async (username: string, version = 1, sid = uniqueName("session")) => {
    const { encode } = await import("next-auth/jwt");
    const [{ id }] = await rowsOf("select id from users where username = $1", [username]);
    await rowsOf(
      "insert into portal_sessions (id, user_id, session_version) values ($1, $2, $3) on conflict do nothing",
      [sid, id, version],
    );
    const token = await encode({ token: { sub: id, sid }, secret: secretKey("session/1").toString("hex") });
    return `other=1; next-auth.session-token=${token}`;
  };

  const from = (method: string, headers: Record<string, string>) => ({
    headers: new Headers({ host: "reviews.local:3000", ...headers }),
    url: new URL("http://reviews.local:3000/v1/orders"),
    method,
  });

  it("count only from the portal's own pages", async () => {
    const { username } = await aUser("admin", { clients: [shop.id] });
    const cookie = await cookieOf(username);
    const ask = (method: string, headers: Record<string, string>) =>
      authenticateRequest({ ...from(method, { cookie, ...headers }), address: "127.0.0.1" });
    expect(await ask("GET", {})).toMatchObject({ name: username });
    expect(await ask("POST", { origin: "http://reviews.local:3000" })).toMatchObject({ name: username });
    expect(await ask("POST", { origin: "http://localhost:3000" })).toMatchObject({ name: username }); // PUBLIC_URL
    for (const [method, headers] of [
      ["POST", {}],
      ["POST", { origin: "null" }],
      ["POST", { origin: "http://evil.example" }],
      ["POST", { origin: "https://reviews.local:3000" }],
      ["POST", { origin: "http://reviews.local" }],
      ["GET", { "sec-fetch-site": "cross-site" }],
      ["GET", { "sec-fetch-site": "same-site" }],
      ["GET", { origin: "http://evil.example" }],
    ] as const)
      await expect(ask(method, headers)).rejects.toMatchObject(refused);
    expect(isSameOrigin(from("POST", { "sec-fetch-site": "same-origin" }))).toBe(true);
  });

  it("are rejected for a page rendered for another person", async () => {
    const [ada, ben] = [await aUser("admin", { clients: [shop.id] }), await aUser("admin", { clients: [shop.id] })];
    const cookie = await cookieOf(ben.username);
    for (const by of [authenticateRequest, authenticateSession]) {
      const ask = async (headers: Record<string, string>, cookies = cookie) => {
        const request = from("POST", { cookie: cookies, origin: "http://reviews.local:3000", ...headers });
        return by({ ...request, address: "127.0.0.1" });
      };
      const ids = [(await ask({}, await cookieOf(ada.username))).id, (await ask({})).id];
      expect(await ask({ "candor-person": ids[1] as string })).toMatchObject({ name: ben.username });
      for (const renderedFor of [ids[0] as string, ""])
        await expect(ask({ "candor-person": renderedFor })).rejects.toMatchObject({ code: "forbidden" });
    }
  });

  it("that ended don't make the browser show its own password prompt", async () => {
    const challengeOf = (headers: Record<string, string>) =>
      request(headers).then(
        () => null,
        (error) => error.headers["WWW-Authenticate"],
      );
    const ownScript = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
    expect(await challengeOf(ownScript)).toBe('Session realm="Candor"');
    for (const headers of [
      {},
      { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
      { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
      { ...ownScript, authorization: "Bearer sk_wrong" },
    ] as Record<string, string>[])
      expect(await challengeOf(headers)).toBe('Basic realm="Candor"');
  });

  it("end with the password, and can't be forged", async () => {
    const { username } = await aUser("admin", { clients: [shop.id] });
    const ask = (cookie: string) => authenticateRequest({ ...from("GET", { cookie }), address: "127.0.0.1" });
    const cookie = await cookieOf(username);
    await ask(cookie);
    await expect(ask(cookie.slice(0, -2))).rejects.toMatchObject(refused);
    await expect(ask(await cookieOf(username, 2))).rejects.toMatchObject(refused);
    // A session cookie of another person isn't valid for this one.
    const other = await aUser("admin", { clients: [shop.id] });
    const theirs = uniqueName("theirs");
    await ask(await cookieOf(other.username, 1, theirs));
    await expect(ask(await cookieOf(username, 1, theirs))).rejects.toMatchObject(refused);
    await rowsOf("update users set session_version = 2 where username = $1", [username]);
    await aSecondLater();
    expect(await isRefused(ask(cookie))).toBe(true);
  });
});

describe("invalid people and keys", () => {
  it("are not created", async () => {
    const before = await rowsOf("select count(*)::int as n from users");
    for (const [input, code] of [
      [{ username: "a b", role: "viewer", clients: [shop.id] }, "invalid_field"],
      [{ username: "a:b", role: "viewer", clients: [shop.id] }, "invalid_field"],
      [{ username: "", role: "viewer", clients: [shop.id] }, "invalid_field"],
      [{ username: "short", role: "viewer", clients: [shop.id], password: "short" }, "invalid_field"],
      [{ username: "alone", role: "admin" }, "invalid_field"],
      [{ username: "lost", role: "admin", clients: ["none"] }, "not_found"],
      [{ username: "lost", role: "admin", accountId: "none" }, "not_found"],
    ] as const)
      await expect(
        createUser({ ...input, clients: "clients" in input ? [...input.clients] : undefined }),
      ).rejects.toMatchObject({ code });
    expect(await rowsOf("select count(*)::int as n from users")).toEqual(before);
    const { username } = await aUser("viewer", { clients: [shop.id] });
    await expect(createUser({ username, role: "viewer", clients: [shop.id] })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});
