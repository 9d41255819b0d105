import { describe, expect, it } from "vitest";
import * as password from "@/app/portal/api/v1/account/password/route";
import * as account from "@/app/portal/api/v1/account/route";
import * as session from "@/app/portal/api/v1/account/sessions/[id]/route";
import * as sessions from "@/app/portal/api/v1/account/sessions/route";
import * as reviews from "@/app/v1/reviews/route";
import { openPasswordLink } from "@/lib/accounts/password-links";
import { mailReset } from "@/lib/accounts/reset-password";
import { setPasswordByLink } from "@/lib/accounts/set-password";
import { signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import { now, withNow } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { languages } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aUser,
  countBlockedQueries,
  hashDatabase,
  rowsOf,
  sessionHeaders,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

const PATH = "/portal/api/v1/account";
const local = new Headers({ host: "127.0.0.1:3000" });

async function aPerson(role: "viewer" | "moderator" | "admin" = "viewer") {
  const shop = await aClient();
  const user = await aUser(role, { clients: [shop.id] });
  const email = `${uniqueName("person")}@shop.example`;
  await rowsOf("update users set email = $2, email_key = $2 where username = $1", [user.username, email]);
  return { ...user, email, shop, browser: async () => ({ headers: await sessionHeaders(user) }) };
}

const mails = (to: string, kind = "password") =>
  rowsOf(`select subject, text, html from mails where "to" = $1 and kind = $2 order by created_at, id`, [to, kind]);
const secretIn = (text: string) => /\/portal\/password\/([\w-]+)/.exec(text)?.[1] ?? "";

describe("own login", () => {
  it("shows and changes name and language; a new address requires the password", async () => {
    const person = await aPerson();
    const me = await person.browser();
    const read = async () => (await call(account, "GET", PATH, me)).json.data;
    const set = (body: unknown) => call(account, "PUT", PATH, { ...me, body });
    expect(await read()).toEqual({
      username: person.username,
      name: null,
      email: person.email,
      language: null,
      role: "viewer",
      roles: {},
      second_factor: false,
      recovery_codes: 0,
      hide_stars: false,
      demo: false,
    });
    expect((await set({ name: " Eva Lind ", language: "sv" })).status).toBe(204);
    expect(await read()).toMatchObject({ name: "Eva Lind", language: "sv", email: person.email });
    const before = await hashDatabase();
    expectError(await set({ email: "new@shop.example" }), 422, "invalid_field");
    expectError(await set({ email: "new@shop.example", password: "wrong" }), 422, "invalid_field");
    expectError(await set({ language: "tlh" }), 422, "invalid_field");
    expect(await hashDatabase()).toBe(before);
    expect((await set({ email: " New@shop.example", password: person.password })).status).toBe(204);
    expect(await read()).toMatchObject({ email: "New@shop.example", name: "Eva Lind" });
  });

  it("changes the password given the old one, and ends every other session and cached credential", async () => {
    const person = await aPerson("admin");
    const [ownBrowser, otherBrowser] = [await person.browser(), await person.browser()];
    const ask = (sent: typeof ownBrowser) => call(sessions, "GET", `${PATH}/sessions`, sent);
    const set = (body: unknown) => call(password, "PUT", `${PATH}/password`, { ...ownBrowser, body });
    const basic = (attempt: string) => call(reviews, "GET", "/v1/reviews", { basic: [person.username, attempt] });
    expect([
      (await ask(ownBrowser)).status,
      (await ask(otherBrowser)).status,
      (await basic(person.password)).status,
    ]).toEqual([200, 200, 200]);
    const before = await hashDatabase();
    expectError(await set({ current: "wrong", password: "a new password" }), 422, "invalid_field");
    expectError(await set({ current: person.password, password: "short" }), 422, "invalid_field");
    expect(await hashDatabase()).toBe(before);
    expect((await set({ current: person.password, password: "a new password" })).status).toBe(204);
    // The session that changed it continues without interruption.
    for (let again = 0; again < 20; again += 1) expect((await ask(ownBrowser)).status).toBe(200);
    await expect.poll(async () => (await ask(otherBrowser)).status).toBe(401);
    await expect.poll(async () => (await basic(person.password)).status).toBe(401);
    expect((await basic("a new password")).status).toBe(200);
    expect((await ask(ownBrowser)).status).toBe(200);
    expect(
      await rowsOf("select action, detail::text from audit_entries where client_id = $1", [person.shop.id]),
    ).toEqual([{ action: "password.changed", detail: "{}" }]);
  });

  it("keeps one of two concurrent password changes", async () => {
    const person = await aPerson();
    const me = await person.browser();
    const set = (newPassword: string) =>
      call(password, "PUT", `${PATH}/password`, { ...me, body: { current: person.password, password: newPassword } });
    const answers = await Promise.all([set("the first password"), set("the second password")]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(204);
    expect([409, 422]).toContain(statuses[1]);
  });

  it("is rejected for the demo's login", async () => {
    const person = await aPerson();
    const me = await person.browser();
    await rowsOf("update users set demo = true where username = $1", [person.username]);
    const before = await hashDatabase();
    const body = { current: person.password, password: "a new password" };
    expectError(await call(password, "PUT", `${PATH}/password`, { ...me, body }), 403, "forbidden");
    expectError(await call(account, "PUT", PATH, { ...me, body: { name: "x" } }), 403, "forbidden");
    await mailReset(person.email);
    expect(await hashDatabase()).toBe(before);
  });
});

describe("sessions", () => {
  it("are listed and ended one by one, or all but one; another person's are not found", async () => {
    const person = await aPerson();
    const [ownBrowser, second, third] = [await person.browser(), await person.browser(), await person.browser()];
    const list = async (sent: typeof ownBrowser) => (await call(sessions, "GET", `${PATH}/sessions`, sent)).json?.data;
    const end = (id: string, sent = ownBrowser) => call(session, "DELETE", `${PATH}/sessions/${id}`, sent);
    const idOf = async (sent: typeof ownBrowser): Promise<string> => (await list(sent))[0].id;
    const all = await list(ownBrowser);
    expect(all.map(({ current }: { current: boolean }) => current)).toEqual([true, false, false]);
    const stranger = await (await aPerson("admin")).browser();
    const before = await hashDatabase();
    for (const id of [await idOf(ownBrowser), "none"]) expectError(await end(id, stranger), 404, "not_found");
    expect(await hashDatabase()).toBe(before);
    const ended = await idOf(second);
    expect((await end(ended)).status).toBe(204);
    expect((await end(ended)).status).toBe(204); // a double click
    await expect.poll(async () => await list(second)).toBeUndefined();
    expect(await list(ownBrowser)).toHaveLength(2);
    expect((await call(sessions, "DELETE", `${PATH}/sessions`, ownBrowser)).status).toBe(204);
    await expect.poll(async () => await list(third)).toBeUndefined();
    expect(await list(ownBrowser)).toHaveLength(1);
    expect(await list(stranger)).toHaveLength(1);
  });
});

describe("a change of a login", () => {
  const notices = (to: string) => mails(to, "notice");
  const put = (module: typeof account | typeof password, path: string, sent: RequestOptions, body: unknown) =>
    call(module, "PUT", PATH + path, { ...sent, body });

  it("of its password emails the person, in each language, unless it's rejected", async () => {
    const subjects: Record<string, string> = {
      en: "Your password was changed",
      de: "Ihr Passwort wurde geändert",
      fr: "Votre mot de passe a été modifié",
      es: "Se ha cambiado su contraseña",
      sv: "Ditt lösenord har ändrats",
    };
    for (const [language, subject] of Object.entries(subjects)) {
      const person = await aPerson();
      await rowsOf("update users set locale = $2 where username = $1", [person.username, language]);
      const me = await person.browser();
      expectError(
        await put(password, "/password", me, { current: "wrong", password: "long enough" }),
        422,
        "invalid_field",
      );
      expect(await notices(person.email)).toEqual([]);
      const body = { current: person.password, password: "another password" };
      expect((await put(password, "/password", me, body)).status).toBe(204);
      const [notice, ...more] = await notices(person.email);
      expect([notice.subject, more]).toEqual([subject, []]);
      expect(notice.text).toContain(person.username);
      expect(notice.text).toContain("/portal/forgot");
      expect(notice.text).not.toMatch(/[{}]|another password/);
    }
  });

  it("of its password by an emailed link sends an email, except the first one", async () => {
    const person = await aPerson();
    await mailReset(person.email);
    await setPasswordByLink(secretIn((await mails(person.email))[0].text), "remembered now");
    expect((await notices(person.email)).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  });

  it("of its address emails the old and the new one, and lets neither take over the login", async () => {
    for (const locale of languages) {
      const person = await aPerson();
      await rowsOf("update users set locale = $2 where username = $1", [person.username, locale]);
      const me = await person.browser();
      const email = `${uniqueName("new")}@shop.example`;
      expect((await put(account, "", me, { email, password: person.password })).status).toBe(204);
      const [[toOldAddress], [toNewAddress]] = [await notices(person.email), await notices(email)];
      const t = emailText(locale);
      const plain = (text: string) => text.replaceAll(/\s+/g, " ");
      const contactHint = plain(t("accountNotice.notYouFormer", { host: "localhost:3000" }));
      for (const mail of [toOldAddress, toNewAddress]) {
        expect(mail.subject).toBe(t("accountNotice.addressSubject"));
        // Password reset links go to the new address, which may be a thief's or a stranger's.
        expect(mail.text + mail.html).not.toContain("/portal/forgot");
        expect(mail.text).not.toMatch(/[{}]/);
      }
      expect(plain(toOldAddress.text)).toContain(contactHint);
      expect(plain(toNewAddress.text)).not.toContain(contactHint);
      expect(plain(toNewAddress.text)).toContain(plain(t("accountNotice.notYouNew")));
    }
  });

  it("of its address sends one email to each", async () => {
    const person = await aPerson();
    const me = await person.browser();
    const email = `${uniqueName("new")}@shop.example`;
    expect((await put(account, "", me, { name: "Eva" })).status).toBe(204);
    expect(await notices(person.email)).toEqual([]);
    expect((await put(account, "", me, { email, password: person.password })).status).toBe(204);
    for (const to of [person.email, email]) {
      const [notice, ...more] = await notices(to);
      expect([notice.subject, more]).toEqual(["Your email address was changed", []]);
      expect(notice.text).toContain(email);
    }
  });
});

describe("a password reset", () => {
  it("works by an emailed link, once, within an hour; every session ends", async () => {
    const person = await aPerson();
    await rowsOf("update users set locale = 'fr' where username = $1", [person.username]);
    const open = await person.browser();
    await mailReset(`  ${person.email.toUpperCase()} `);
    const [mail] = await mails(person.email);
    expect(mail.subject).toBe("Réinitialisez votre mot de passe");
    expect(mail.text).toContain(person.username);
    const secret = secretIn(mail.text);
    const later = new Date(now().getTime() + 61 * 60_000);
    expect(await withNow(later, () => openPasswordLink(secret))).toBeNull();
    await setPasswordByLink(secret, "remembered now");
    await expect(setPasswordByLink(secret, "once more then")).rejects.toMatchObject({ code: "not_found" });
    await expect.poll(async () => (await call(sessions, "GET", `${PATH}/sessions`, open)).status).toBe(401);
    expect(await signInToPortal(person.username, person.password, local)).toBeNull();
    expect(await signInToPortal(person.username, "remembered now", local)).not.toBeNull();
    expect(await rowsOf("select action from audit_entries where client_id = $1", [person.shop.id])).toEqual([
      { action: "password.reset" },
    ]);
  });

  it("sends at most three emails an hour; only the latest link works, and unknown or inactive logins get no email", async () => {
    const person = await aPerson();
    for (let again = 0; again < 5; again += 1) await mailReset(person.username);
    const sent = await mails(person.email);
    expect(sent).toHaveLength(3);
    const opened = await Promise.all(sent.map(({ text }) => openPasswordLink(secretIn(text))));
    expect(opened.map((link) => link !== null)).toEqual([false, false, true]);
    const before = await hashDatabase();
    for (const unknown of ["nobody", "nobody@shop.example", "", " ", "x".repeat(500), "a\0b", "%", "_"])
      await mailReset(unknown);
    const withoutEmail = await aUser("viewer", { clients: [person.shop.id] }); // has no address
    const deactivated = await aPerson();
    await rowsOf("update users set disabled_at = now() where username = $1", [deactivated.username]);
    const between = await hashDatabase();
    await mailReset(withoutEmail.username);
    await mailReset(deactivated.email);
    expect(await hashDatabase()).toBe(between);
    expect(before).not.toBe(between); // time passed while people were created
    expect(await rowsOf("select count(*)::int as n from mails where kind = 'password'")).toEqual([
      { n: (await rowsOf("select from password_links")).length },
    ]);
  });

  it("reaches active people even if many users have the same address", async () => {
    const person = await aPerson();
    expect(await signInToPortal(person.username, person.password, local)).not.toBeNull();
    await rowsOf(
      `insert into users (id, username, password_hash, role, email, email_key, updated_at)
       select '0-' || $1 || n, '0-' || $1 || n, 'none', 'viewer', $1, $1, now() from generate_series(1, 12) n`,
      [person.email],
    );
    await mailReset(person.email);
    const sent = await mails(person.email);
    expect(sent).toHaveLength(5);
    expect(sent.filter(({ text }) => text.includes(`username is ${person.username}`))).toHaveLength(1);
  });

  it("reaches the person who used a link to the address, even if other logins with it were used since", async () => {
    const [person, insider] = [await aPerson(), await aPerson()];
    await mailReset(person.email);
    await setPasswordByLink(secretIn((await mails(person.email))[0].text), "shown to be mine");
    const [{ account_id }] = await rowsOf("select account_id from users where username = $1", [person.username]);
    // Some in the same account, some in another, all used just now.
    await rowsOf(
      `insert into users (id, account_id, username, password_hash, role, email, email_key, last_sign_in_at, updated_at)
       select '0-' || $1 || n, case when n % 2 = 0 then $2 else $3 end, '0-' || $1 || n, 'none', 'viewer', $1, $1, now(), now()
         from generate_series(1, 12) n`,
      [person.email, account_id, insider.shop.accountId],
    );
    await rowsOf("delete from mails");
    await mailReset(person.email);
    const readMail = async () =>
      (await mails(person.email)).filter(({ text }) => text.includes(`username is ${person.username}`)).length;
    expect(await readMail()).toBe(1);
    // A new address has to be verified again.
    const me = { headers: await sessionHeaders({ ...person, password: "shown to be mine" }) };
    const isVerified = () =>
      rowsOf("select email_proven_at is not null as is from users where username = $1", [person.username]);
    expect(await isVerified()).toEqual([{ is: true }]);
    const body = { email: `${uniqueName("new")}@shop.example`, password: "shown to be mine" };
    expect((await call(account, "PUT", PATH, { ...me, body })).status).toBe(204);
    expect(await isVerified()).toEqual([{ is: false }]);
  });

  it("is written in the store's language if the person set none", async () => {
    const person = await aPerson();
    await rowsOf("update clients set locale = 'sv_SE' where id = $1", [person.shop.id]);
    await mailReset(person.email);
    expect((await mails(person.email))[0].subject).toBe("Återställ ditt lösenord");
  });

  it("waits for a concurrent new link, which invalidates the earlier one", async () => {
    const person = await aPerson();
    await mailReset(person.email);
    const secret = secretIn((await mails(person.email))[0].text);
    const [{ id }] = await rowsOf("select id from users where username = $1", [person.username]);
    let setting: Promise<unknown> = Promise.resolve();
    await transaction(async (db) => {
      await db.query("select from users where id = $1 for update", [id]);
      setting = setPasswordByLink(secret, "too late for it").catch(({ code }) => code);
      await expect.poll(countBlockedQueries).toBe(1);
      await db.query("update password_links set used_at = now() where user_id = $1 and used_at is null", [id]);
    });
    expect(await setting).toBe("not_found");
    expect(await signInToPortal(person.username, person.password, local)).not.toBeNull();
  });
});
