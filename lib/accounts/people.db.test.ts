import { beforeAll, describe, expect, it } from "vitest";
import * as link from "@/app/portal/api/v1/users/[id]/link/route";
import * as person from "@/app/portal/api/v1/users/[id]/route";
import * as people from "@/app/portal/api/v1/users/route";
import * as reviews from "@/app/v1/reviews/route";
import { changePerson } from "@/lib/accounts/change-person";
import { openPasswordLink } from "@/lib/accounts/password-links";
import { setPasswordByLink } from "@/lib/accounts/set-password";
import { signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import { readClient } from "@/lib/accounts/stores/get-client";
import { now, withNow } from "@/lib/platform/clock";
import { startCacheListener } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { createClient } from "@/lib/settings/create-client";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  aUser,
  hashDatabase,
  rowsOf,
  sessionHeaders,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";
import { withSettings } from "@/lib/tools/test/with-settings";

// As in a running server: without it, a change takes a second to reach the cached sessions.
beforeAll(() => startCacheListener());

const PATH = "/portal/api/v1/users";
const list = async (sent: RequestOptions, query = "") => (await call(people, "GET", PATH + query, sent)).json.data;
const invite = (sent: RequestOptions, body: unknown, query = "") =>
  call(people, "POST", PATH + query, { ...sent, body });
const change = (sent: RequestOptions, id: string, body: unknown, query = "") =>
  call(person, "PUT", `${PATH}/${id}${query}`, { ...sent, body });
const mail = (sent: RequestOptions, id: string) => call(link, "POST", `${PATH}/${id}/link`, sent);
const local = new Headers({ host: "127.0.0.1:3000" });
const idOf = async ({ username }: { username: string }): Promise<string> =>
  (await rowsOf("select id from users where username = $1", [username]))[0].id;
const wholeAdmin = async (shop: TestClient) => ({
  headers: await sessionHeaders(await aUser("admin", { accountId: shop.accountId })),
});

/** The secret of the newest link emailed to an address. */
async function mailedSecret(to: string): Promise<string> {
  const [newest] = await rowsOf(`select text from mails where "to" = $1 order by created_at desc, id limit 1`, [to]);
  return /\/portal\/password\/([\w-]+)/.exec(newest?.text ?? "")?.[1] ?? "";
}

describe("inviting a person", () => {
  it("emails a link that sets the password once, and grants the given role and access", async () => {
    const shop = await aClient({ locale: "de_DE", display_name: "Lampenladen" });
    const admin = await aMember(shop, "admin");
    const email = `${uniqueName("eva")}@shop.example`;
    const invited = await invite(admin, { email: ` ${email} `, name: " Eva ", role: "moderator" });
    expect({ status: invited.status, data: invited.json.data }).toEqual({
      status: 201,
      data: { id: expect.any(String), username: email },
    });
    const { id } = invited.json.data;
    expect((await list(admin)).find((line: { id: string }) => line.id === id)).toMatchObject({
      username: email,
      name: "Eva",
      role: "moderator",
      state: "invited",
      all_clients: false,
      clients: [shop.id],
      may_change: true,
    });
    const [{ subject, text }] = await rowsOf(`select subject, text from mails where "to" = $1`, [email]);
    expect(subject).toBe("Einladung zur Verwaltung der Bewertungen von Lampenladen");
    expect(text).toContain(email);
    const secret = await mailedSecret(email);
    expect(await openPasswordLink(secret)).toMatchObject({ kind: "invitation", username: email });
    await expect(setPasswordByLink(secret, "short")).rejects.toMatchObject({ code: "invalid_field" });
    await expect(setPasswordByLink(secret, email.toUpperCase())).rejects.toMatchObject({ code: "invalid_field" });
    const attempts = await Promise.allSettled([
      setPasswordByLink(secret, "a good password"),
      setPasswordByLink(secret, "another password"),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(setPasswordByLink(secret, "a third password")).rejects.toMatchObject({ code: "not_found" });
    const password = attempts[0]?.status === "fulfilled" ? "a good password" : "another password";
    const signed = await signInToPortal(email, password, local);
    expect(signed?.actor).toMatchObject({ role: "moderator", clients: new Set([shop.id]) });
    expect((await call(reviews, "GET", "/v1/reviews", { basic: [email, password] })).status).toBe(200);
    expect((await list(admin)).find((line: { id: string }) => line.id === id)).toMatchObject({ state: "active" });
    expect(
      await rowsOf("select action, detail from audit_entries where client_id = $1 and subject = $2 order by id", [
        shop.id,
        id,
      ]),
    ).toEqual([
      { action: "user.invited", detail: { username: email, role: "moderator", clients: [shop.id] } },
      { action: "password.set", detail: {} },
    ]);
    // No password and no secret of a link is stored anywhere except in the email.
    expect(await rowsOf("select from password_links where hash = $1", [secret])).toEqual([]);
  });

  it("can be repeated, with a link that invalidates the previous one and expires after a week", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const email = `${uniqueName("ida")}@shop.example`;
    const { id } = (await invite(admin, { email, role: "viewer" })).json.data;
    const first = await mailedSecret(email);
    expect((await mail(admin, id)).status).toBe(204);
    expect(await openPasswordLink(first)).toBeNull();
    const second = await mailedSecret(email);
    expect(second).not.toBe(first);
    const in8Days = new Date(now().getTime() + 8 * 86_400_000);
    expect(await withNow(in8Days, () => openPasswordLink(second))).toBeNull();
    await expect(withNow(in8Days, () => setPasswordByLink(second, "a good password"))).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await openPasswordLink(second)).toMatchObject({ username: email });
    for (const secret of ["", "x".repeat(22), `${second}x`]) expect(await openPasswordLink(secret)).toBeNull();
  });

  it("is rejected for an existing name, beyond one's own access, and for operators", async () => {
    const [shop, other] = [await aClient(), await aClient()];
    const admin = await aMember(shop, "admin");
    const { username } = await aUser("viewer", { clients: [other.id] });
    const email = "eva@shop.example";
    const before = await hashDatabase();
    expectError(await invite(admin, { email, username, role: "viewer" }), 409, "conflict");
    for (const body of [
      { email, role: "operator" },
      { email, role: "viewer", clients: [other.id] },
      { email, role: "viewer", clients: ["nobody"] },
      { email, role: "viewer", clients: [] },
      { email: "no address", role: "viewer" },
      { email, role: "viewer", username: "a b" },
      { email: `${"x".repeat(120)}@shop.example`, role: "viewer" },
    ])
      expectError(await invite(admin, body), 422, "invalid_field");
    // Only people with access to the whole account can grant it.
    expectError(await invite(admin, { email, role: "viewer", all_clients: true }), 403, "forbidden");
    expect(await hashDatabase()).toBe(before);
    const invited = await invite(await wholeAdmin(shop), {
      email: `${uniqueName("w")}@x.example`,
      role: "viewer",
      all_clients: true,
    });
    expect(invited.status).toBe(201);
    const later = uniqueName("later");
    await createClient({ id: later, accountId: shop.accountId });
    const [{ reach }] = await rowsOf("select all_clients as reach from users where id = $1", [invited.json.data.id]);
    expect(reach).toBe(true);
  });

  it("is limited in emails an hour", async () => {
    const key = uniqueName("mailer");
    const tries = await withSettings({ RATE_LIMITS: "0.1" }, async () =>
      Array.from({ length: 5 }, () => {
        try {
          takeToken("people_mail", key);
          return "mailed";
        } catch (error) {
          return (error as { code: string }).code;
        }
      }),
    );
    expect(tries).toEqual(["mailed", "mailed", "mailed", "rate_limited", "rate_limited"]);
  });
});

describe("changing a person", () => {
  it("ends their sessions with a new role, deactivates and reactivates them", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const user = await aUser("moderator", { clients: [shop.id] });
    const id = await idOf(user);
    const browser = { headers: await sessionHeaders(user) };
    const listAsUser = () => call(people, "GET", PATH, browser);
    expectError(await listAsUser(), 403, "forbidden");
    expect((await change(admin, id, { role: "admin" })).status).toBe(204);
    await expect.poll(async () => (await listAsUser()).status).toBe(401);
    const again = { headers: await sessionHeaders(user) };
    expect((await call(people, "GET", PATH, again)).status).toBe(200);
    expect((await change(admin, id, { role: "admin" })).status).toBe(204); // no change
    expect((await call(people, "GET", PATH, again)).status).toBe(200);
    expect((await change(admin, id, { disabled: true })).status).toBe(204);
    await expect.poll(async () => (await call(people, "GET", PATH, again)).status).toBe(401);
    expect(await signInToPortal(user.username, user.password, local)).toBeNull();
    expectError(await call(reviews, "GET", "/v1/reviews", { basic: user.basic }), 401, "unauthorized");
    expect((await list(admin)).at(-1)).toMatchObject({ id, state: "disabled" });
    expectError(await mail(admin, id), 409, "conflict"); // no address
    expect((await change(admin, id, { disabled: false })).status).toBe(204);
    expect(await signInToPortal(user.username, user.password, local)).not.toBeNull();
    // Sessions from before stay ended.
    expect((await call(people, "GET", PATH, again)).status).toBe(401);
    expect(
      await rowsOf("select action, detail from audit_entries where client_id = $1 and subject = $2 order by id", [
        shop.id,
        id,
      ]),
    ).toEqual([
      { action: "user.changed", detail: { role: "admin", was: "moderator" } },
      { action: "user.disabled", detail: {} },
      { action: "user.enabled", detail: {} },
    ]);
  });

  it("moves them between clients that the admin reaches, and nowhere else", async () => {
    const [one, two, foreign] = [await aClient(), await aClient(), await aClient()];
    const admin = { headers: await sessionHeaders(await aUser("admin", { clients: [one.id, two.id] })) };
    const id = await idOf(await aUser("viewer", { clients: [one.id] }));
    const at = `?client_id=${one.id}`;
    expect((await change(admin, id, { clients: [two.id, one.id, two.id] }, at)).status).toBe(204);
    expect(await rowsOf("select client_id from user_clients where user_id = $1 order by 1", [id])).toEqual(
      [one.id, two.id].sort().map((client_id) => ({ client_id })),
    );
    const before = await hashDatabase();
    for (const clients of [[foreign.id], [one.id, "nobody"]])
      expectError(await change(admin, id, { clients }, at), 422, "invalid_field");
    expectError(await change(admin, id, { all_clients: true }, at), 403, "forbidden");
    expect(await hashDatabase()).toBe(before);
    expect((await change(admin, id, { clients: [two.id] }, at)).status).toBe(204);
    expectError(await change(admin, id, { role: "moderator" }, at), 404, "not_found");
    expect((await change(admin, id, { role: "moderator" }, `?client_id=${two.id}`)).status).toBe(204);
  });

  it("sets a role at a single client, shown in lists and logs, and in force everywhere immediately", async () => {
    const [one, two] = [await aClient(), await aClient()];
    await someReviews(one.id, [{ author_email: "ada@example.org" }]);
    await someReviews(two.id, [{ author_email: "bo@example.org" }]);
    const admin = { headers: await sessionHeaders(await aUser("admin", { clients: [one.id, two.id] })) };
    const someone = await aUser("moderator", { clients: [one.id, two.id] });
    const id = await idOf(someone);
    const at = `?client_id=${one.id}`;
    const line = async (shop: TestClient) =>
      (await list(admin, `?client_id=${shop.id}`)).find((each: { id: string }) => each.id === id);
    const rolesAt = async (shop: TestClient) =>
      (await call(reviews, "GET", `/v1/reviews?client_id=${shop.id}`, { basic: someone.basic })).json.data?.[0]
        ?.author_email;
    expect([await rolesAt(one), await rolesAt(two)]).toEqual(["ada@example.org", "bo@example.org"]);
    expect((await change(admin, id, { roles: { [two.id]: "viewer", [one.id]: "moderator" } }, at)).status).toBe(204);
    // The usual role isn't stored as a role at a client.
    expect(await line(one)).toMatchObject({ role: "moderator", roles: { [two.id]: "viewer" } });
    expect(await line(two)).toMatchObject({ role: "moderator", roles: { [two.id]: "viewer" } });
    await expect.poll(() => rolesAt(two)).toBe(null);
    expect(await rolesAt(one)).toBe("ada@example.org");
    for (const shop of [one, two])
      expect(
        await rowsOf("select action, detail from audit_entries where client_id = $1 and subject = $2", [shop.id, id]),
      ).toEqual([{ action: "user.changed", detail: { roles: { [two.id]: "viewer" } } }]);
    const before = await hashDatabase();
    for (const roles of [{ "nobody.example": "viewer" }, { [one.id]: "operator" }])
      expectError(await change(admin, id, { roles }, at), 422, "invalid_field");
    expect((await change(admin, id, { roles: { [two.id]: "viewer" } }, at)).status).toBe(204);
    expect(await hashDatabase()).toBe(before);
    // The role is removed with the client; if the client is added again, the usual role applies.
    expect((await change(admin, id, { clients: [one.id] }, at)).status).toBe(204);
    expect((await change(admin, id, { clients: [one.id, two.id] }, at)).status).toBe(204);
    expect(await line(two)).toMatchObject({ roles: {} });
  });

  it("grants nothing at clients where the actor isn't an admin", async () => {
    const [one, two] = [await aClient(), await aClient()];
    const half = await aUser("admin", { clients: [one.id, two.id], roles: { [two.id]: "moderator" } });
    const admin = { headers: await sessionHeaders(half) };
    const both = await idOf(await aUser("viewer", { clients: [one.id, two.id] }));
    const here = await idOf(await aUser("viewer", { clients: [one.id] }));
    const at = `?client_id=${one.id}`;
    const before = await hashDatabase();
    expectError(await change(admin, both, { role: "admin" }, at), 403, "forbidden");
    expectError(await change(admin, here, { clients: [one.id, two.id] }, at), 422, "invalid_field");
    const body = { email: "x@shop.example", role: "viewer", clients: [two.id] };
    expectError(await invite(admin, body, at), 422, "invalid_field");
    expectError(await call(people, "GET", `${PATH}?client_id=${two.id}`, admin), 403, "forbidden");
    expect(await hashDatabase()).toBe(before);
    expect((await change(admin, here, { role: "moderator" }, at)).status).toBe(204);
    const given = { email: `${uniqueName("p")}@shop.example`, role: "viewer" };
    expectError(await invite(admin, { ...given, roles: { [two.id]: "admin" } }, at), 422, "invalid_field");
    expect((await invite(admin, given, at)).status).toBe(201);
  });

  it("is rejected for oneself, and for actors with less access than the person", async () => {
    const [shop, other] = [await aClient(), await aClient()];
    const self = await aUser("admin", { clients: [shop.id] });
    const admin = { headers: await sessionHeaders(self) };
    const further = await idOf(await aUser("viewer", { clients: [shop.id, other.id] }));
    const accountWide = await idOf(await aUser("viewer", { accountId: shop.accountId }));
    const operator = await idOf(await aUser("operator", { accountId: shop.accountId }));
    const stranger = await idOf(await aUser("viewer", { clients: [other.id] }));
    const lines = await list(admin);
    expect(lines.map((line: { id: string; may_change: boolean }) => [line.id, line.may_change]).sort()).toEqual(
      [
        [await idOf(self), false],
        [further, false],
        [accountWide, false],
      ].sort(),
    );
    expect(lines.find((line: { id: string }) => line.id === further)).toMatchObject({
      clients: [shop.id],
      other_clients: 1,
    });
    const before = await hashDatabase();
    for (const id of [await idOf(self), further, accountWide]) {
      expectError(await change(admin, id, { disabled: true }), 403, "forbidden");
      expectError(await mail(admin, id), 403, "forbidden");
    }
    for (const id of [operator, stranger, "none"]) {
      expectError(await change(admin, id, { role: "viewer" }), 404, "not_found");
      expectError(await mail(admin, id), 404, "not_found");
    }
    expect(await hashDatabase()).toBe(before);
    expect((await change(await wholeAdmin(shop), accountWide, { clients: [shop.id] })).status).toBe(204);
    expect((await change(admin, accountWide, { disabled: true })).status).toBe(204);
    expect(
      (await change(await aMember(shop, "operator"), further, { role: "admin" }, `?client_id=${shop.id}`)).status,
    ).toBe(204);
  });

  it("keeps one of two admins who deactivate each other concurrently", async () => {
    const shop = await aClient();
    const client = await readClient(pool(), shop.id);
    if (!client) throw new Error("no client");
    const [one, two] = [await aUser("admin", { clients: [shop.id] }), await aUser("admin", { clients: [shop.id] })];
    // Both passed authentication before the other's change.
    const actorOf = async ({ username, password }: { username: string; password: string }) => {
      const person = await signInToPortal(username, password, local);
      if (!person) throw new Error("nobody");
      return person.actor;
    };
    const [first, second] = [await actorOf(one), await actorOf(two)];
    const attempts = await Promise.allSettled([
      changePerson(first, client, second.id, { role: "viewer" }),
      changePerson(second, client, first.id, { role: "viewer" }),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(attempts.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "forbidden" } });
    const [deactivated, remaining] = attempts[0]?.status === "fulfilled" ? [second, first] : [first, second];
    for (const change of [{ disabled: true }, { clients: [shop.id] }])
      await expect(changePerson(deactivated, client, remaining.id, change)).rejects.toMatchObject({
        code: "forbidden",
      });
    const roles = await rowsOf("select role from users where id = any($1) order by role", [[first.id, second.id]]);
    expect(roles.map(({ role }) => role)).toEqual(["admin", "viewer"]);
  });

  it("is recorded at clients that they no longer reach, too", async () => {
    const [one, two] = [await aClient(), await aClient()];
    const admin = { headers: await sessionHeaders(await aUser("admin", { clients: [one.id, two.id] })) };
    const id = await idOf(await aUser("viewer", { clients: [one.id, two.id] }));
    expect((await change(admin, id, { clients: [two.id] }, `?client_id=${one.id}`)).status).toBe(204);
    const entries = await rowsOf("select client_id, action from audit_entries where subject = $1 order by client_id", [
      id,
    ]);
    expect(entries).toEqual([one.id, two.id].sort().map((client_id) => ({ client_id, action: "user.changed" })));
  });
});
