import { TOTP } from "otpauth";
import { beforeAll, describe, expect, it } from "vitest";
import * as account from "@/app/portal/api/v1/account/route";
import * as confirm from "@/app/portal/api/v1/account/second_factor/confirm/route";
import * as remove from "@/app/portal/api/v1/account/second_factor/remove/route";
import * as begin from "@/app/portal/api/v1/account/second_factor/route";
import * as person from "@/app/portal/api/v1/users/[id]/route";
import * as reviews from "@/app/v1/reviews/route";
import { finishSignIn, signInToPortal, startSignIn } from "@/lib/accounts/sign-in/portal-sign-in";
import { findSignedIn } from "@/lib/accounts/sign-in/user";
import { now, withNow } from "@/lib/platform/clock";
import { startCacheListener } from "@/lib/platform/db/cache";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, aUser, hashDatabase, rowsOf, sessionHeaders } from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

// As in a running server: without it, a change takes a second to reach the cached sessions.
beforeAll(() => startCacheListener());

const PATH = "/portal/api/v1/account/second_factor";
const local = new Headers({ host: "127.0.0.1:3000" });
const post = (module: Parameters<typeof call>[0], path: string, sent: RequestOptions, body: unknown) =>
  call(module, "POST", PATH + path, { ...sent, body });
const at = (minutes: number) => new Date(now().getTime() + minutes * 60_000);
/** The code an app shows at a given moment. */
const codeAt = (secret: string, moment = now()) => new TOTP({ secret }).generate({ timestamp: moment.getTime() });

async function aPerson() {
  const shop = await aClient();
  const user = await aUser("admin", { clients: [shop.id] });
  const [{ id }] = await rowsOf("select id from users where username = $1", [user.username]);
  return { ...user, id, shop, me: { headers: await sessionHeaders(user) } };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

/** Sets up an app; returns its secret and the recovery codes. */
async function setUp({ me, username, password }: Person): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await post(begin, "", me, { password })).json.data;
  const { recovery_codes: codes } = (await post(confirm, "/confirm", me, { code: codeAt(secret) })).json.data;
  await passwordIsNotEnough(username, password);
  return { secret, codes };
}

/** Sessions are cached until the notification arrives; after that a code is required. */
const passwordIsNotEnough = (username: string, password: string) =>
  expect.poll(() => signInToPortal(username, password, local)).toBeNull();

describe("two-factor authentication", () => {
  it("emails the person when it's turned on or off, no matter who turns it off", async () => {
    const someone = await aPerson();
    await rowsOf("update users set email = $2, email_key = $2 where id = $1", [
      someone.id,
      `${someone.id}@shop.example`,
    ]);
    const notices = async () =>
      (
        await rowsOf(`select subject from mails where "to" = $1 and kind = 'notice' order by created_at, id`, [
          `${someone.id}@shop.example`,
        ])
      ).map(({ subject }) => subject);
    const [on, off] = ["Two-factor authentication is on", "Two-factor authentication is off"];
    await post(begin, "", someone.me, { password: someone.password });
    // Started and canceled: nothing was turned on.
    expect((await post(remove, "/remove", someone.me, { password: someone.password })).status).toBe(204);
    expect(await notices()).toEqual([]);
    await setUp(someone);
    expect(await notices()).toEqual([on]);
    expect((await post(remove, "/remove", someone.me, { password: someone.password })).status).toBe(204);
    await setUp(someone);
    const admin = await aMember(someone.shop, "admin");
    const removed = await call(person, "PUT", `/portal/api/v1/users/${someone.id}`, {
      ...admin,
      body: { second_factor: false },
    });
    expect(removed.status).toBe(204);
    expect((await notices()).sort()).toEqual([off, off, on, on]);
  });

  it("is set up by proving that the app has the secret, and then required with the password", async () => {
    const someone = await aPerson();
    const { me, username, password, shop } = someone;
    const elsewhere = { headers: await sessionHeaders(someone) };
    const read = async (sent: RequestOptions) => call(account, "GET", "/portal/api/v1/account", sent);
    expectError(await post(begin, "", me, { password: "wrong" }), 422, "invalid_field");
    expectError(await post(confirm, "/confirm", me, { code: "123456" }), 409, "conflict");
    const { secret, uri } = (await post(begin, "", me, { password })).json.data;
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain(username);
    // Started isn't turned on.
    expect(await signInToPortal(username, password, local)).not.toBeNull();
    const before = await hashDatabase();
    for (const code of ["000000", codeAt(secret, at(10)), "abc", ""])
      expectError(await post(confirm, "/confirm", me, { code }), 422, "invalid_field");
    expect(await hashDatabase()).toBe(before);
    const { recovery_codes } = (await post(confirm, "/confirm", me, { code: codeAt(secret) })).json.data;
    expect(recovery_codes).toHaveLength(10);
    expect((await read(me)).json.data).toMatchObject({ second_factor: true, recovery_codes: 10 });
    await expect.poll(async () => (await read(elsewhere)).status).toBe(401);
    expect(await rowsOf("select action from audit_entries where client_id = $1", [shop.id])).toEqual([
      { action: "second_factor.enabled" },
    ]);
    // The row doesn't contain the secret or the codes in plain text.
    const [{ row }] = await rowsOf("select to_jsonb(u)::text as row from users u where username = $1", [username]);
    for (const plainText of [secret, ...recovery_codes]) expect(row).not.toContain(plainText);
    // The password alone works neither for the portal nor for the API.
    await passwordIsNotEnough(username, password);
    await expect
      .poll(async () => (await call(reviews, "GET", "/v1/reviews", { basic: [username, password] })).status, {
        timeout: 5_000,
      })
      .toBe(401);
    const response = await call(reviews, "GET", "/v1/reviews", { basic: [username, password] });
    expect(response.json.errors[0].message).toContain("Create an API key");
    expectError(await call(reviews, "GET", "/v1/reviews", { basic: [username, "wrong"] }), 401, "unauthorized");
    await withNow(at(5), async () => {
      expect(await signInToPortal(username, password, local, codeAt(secret))).toMatchObject({
        actor: { name: username },
      });
    });
  });

  it("accepts each code once, slightly early or late, and rejects expired and forged tickets", async () => {
    const someone = await aPerson();
    const { username, password } = someone;
    const { secret } = await setUp(someone);
    const ticketOf = async (): Promise<string> => {
      const attempt = await startSignIn(username, password, local);
      if (!attempt || !("ticket" in attempt)) throw new Error("A ticket was to be given.");
      return attempt.ticket;
    };
    await withNow(at(10), async () => {
      const code = codeAt(secret);
      const ticket = await ticketOf();
      const both = await Promise.all([finishSignIn(ticket, code, local), finishSignIn(ticket, code, local)]);
      expect(both.filter((found) => found !== null)).toHaveLength(1);
      expect(await finishSignIn(await ticketOf(), code, local)).toBeNull();
    });
    await withNow(at(20), async () => {
      const ticket = await ticketOf();
      expect(await finishSignIn(ticket, codeAt(secret, at(2)), local)).toBeNull();
      expect(await finishSignIn(`${ticket}x`, codeAt(secret), local)).toBeNull();
      expect(await finishSignIn("", codeAt(secret), local)).toBeNull();
      expect(await withNow(at(6), () => finishSignIn(ticket, codeAt(secret), local))).toBeNull();
      expect(await finishSignIn(ticket, ` ${codeAt(secret, at(0.5)).replace(/^(...)/, "$1 ")}`, local)).not.toBeNull();
    });
    await withNow(at(30), async () => {
      const ticket = await ticketOf();
      await rowsOf("update users set session_version = session_version + 1 where username = $1", [username]);
      await expect.poll(() => findSignedIn(someone.id, 1)).toBeNull();
      expect(await finishSignIn(ticket, codeAt(secret), local)).toBeNull();
    });
  });

  it("has recovery codes, each valid once in any spelling", async () => {
    const someone = await aPerson();
    const { codes } = await setUp(someone);
    const sign = (code: string) => signInToPortal(someone.username, someone.password, local, code);
    const [first = "", second = ""] = codes;
    expect(await sign(first.toUpperCase().replace("-", " "))).not.toBeNull();
    expect(await sign(first)).toBeNull();
    expect((await Promise.all([sign(second), sign(second)])).filter((found) => found !== null)).toHaveLength(1);
    expect(await sign("aaaaa-aaaaa")).toBeNull();
    expect(await rowsOf("select cardinality(recovery_codes) as left from users where id = $1", [someone.id])).toEqual([
      { left: 8 },
    ]);
  });

  it("rejects sign-ins if this installation can't decrypt the secret, until an admin removes it", async () => {
    const someone = await aPerson();
    const { secret } = await setUp(someone);
    const sign = () => signInToPortal(someone.username, someone.password, local, codeAt(secret));
    // As after a change of CANDOR_SECRET.
    await rowsOf("update users set totp_secret = '\\x0102030405', totp_pending = '\\x0102030405' where id = $1", [
      someone.id,
    ]);
    await withNow(at(5), async () => expect(await sign()).toBeNull());
    expectError(await post(confirm, "/confirm", someone.me, { code: codeAt(secret) }), 422, "invalid_field");
    const body = { second_factor: false };
    const admin = await aMember(someone.shop, "admin");
    expect((await call(person, "PUT", `/portal/api/v1/users/${someone.id}`, { ...admin, body })).status).toBe(204);
    await expect.poll(() => signInToPortal(someone.username, someone.password, local)).not.toBeNull();
  });

  it("is turned off with the password, or by an admin for a person who lost everything", async () => {
    const someone = await aPerson();
    await setUp(someone);
    expectError(await post(remove, "/remove", someone.me, { password: "wrong" }), 422, "invalid_field");
    expect((await post(remove, "/remove", someone.me, { password: someone.password })).status).toBe(204);
    expect((await post(remove, "/remove", someone.me, { password: someone.password })).status).toBe(204);
    await expect.poll(() => signInToPortal(someone.username, someone.password, local)).not.toBeNull();
    await setUp(someone);
    const admin = await aMember(someone.shop, "admin");
    const answer = await call(person, "PUT", `/portal/api/v1/users/${someone.id}`, {
      ...admin,
      body: { second_factor: false },
    });
    expect(answer.status).toBe(204);
    await expect.poll(() => signInToPortal(someone.username, someone.password, local)).not.toBeNull();
    const actions = await rowsOf("select action from audit_entries where client_id = $1 order by id", [
      someone.shop.id,
    ]);
    expect(actions.map(({ action }) => action)).toEqual([
      "second_factor.enabled",
      "second_factor.disabled",
      "second_factor.enabled",
      "second_factor.disabled",
    ]);
  });
});
