import { TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { knownDeviceCookie } from "@/lib/accounts/sign-in/known-device";
import { memberOf } from "@/lib/accounts/sign-in/member";
import { newSessionCookie } from "@/lib/accounts/sign-in/next-auth";
import { finishSignIn, signInToPortal, startSignIn } from "@/lib/accounts/sign-in/portal-sign-in";
import { newTotpSecret } from "@/lib/accounts/sign-in/second-factor";
import { endSession, purgeSessions } from "@/lib/accounts/sign-in/session-store";
import { demoPassword } from "@/lib/platform/env";
import { aClient, aUser, rowsOf, uniqueName } from "@/lib/tools/test/factories";
import { changeSettings } from "@/lib/tools/test/with-settings";

const local = new Headers({ host: "127.0.0.1:3000" });

const headersWith = async (person: Parameters<typeof newSessionCookie>[0], host = "127.0.0.1:3000") => {
  const { name, value } = await newSessionCookie(person, local);
  return new Headers({ host, cookie: `other=1; ${name}=${value}` });
};

async function aMember() {
  const client = await aClient();
  return aUser("moderator", { accountId: client.accountId, clients: [client.id] });
}

describe("signing in to the portal", () => {
  it("signs in with the right password and records the time", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    expect(person?.actor).toMatchObject({ kind: "user", name: username, role: "moderator" });
    expect(
      await rowsOf("select last_sign_in_at is not null as noted from users where username = $1", [username]),
    ).toEqual([{ noted: true }]);
  });

  it("rejects a wrong password, an unknown name and an invalid password", async () => {
    const { username } = await aMember();
    for (const [name, password] of [
      [username, "wrong"],
      [uniqueName("nobody"), "x"],
      [username, "nul\0"],
      [username, "x".repeat(2_000)],
      ["", ""],
    ] as const)
      expect(await signInToPortal(name, password, local)).toBeNull();
  });

  it("rejects a deactivated person, and the password alone if a code is required", async () => {
    const disabled = await aMember();
    await rowsOf("update users set disabled_at = now() where username = $1", [disabled.username]);
    expect(await signInToPortal(disabled.username, disabled.password, local)).toBeNull();
    const withTwoFactor = await aMember();
    await rowsOf("update users set totp_secret = 'x' where username = $1", [withTwoFactor.username]);
    expect(await signInToPortal(withTwoFactor.username, withTwoFactor.password, local)).toBeNull();
  });

  it("accepts the demo's password from this machine only", async () => {
    const { username } = await aMember();
    await rowsOf("update users set demo = true where username = $1", [username]);
    const password = demoPassword();
    expect(await signInToPortal(username, password, new Headers({ host: "reviews.example" }))).toBeNull();
    expect(
      await signInToPortal(username, password, new Headers({ host: "localhost", "x-forwarded-for": "203.0.113.9" })),
    ).toBeNull();
    const person = await signInToPortal(username, password, local);
    expect(person).not.toBeNull();
    // The same holds for the session: it isn't valid from elsewhere.
    expect(await memberOf(await headersWith(person!))).toMatchObject({ name: username });
    expect(await memberOf(await headersWith(person!, "reviews.example"))).toBeNull();
  });
});

describe("the session", () => {
  it("is recognized by its cookie until it's forged, or the password or role changes", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    const headers = await headersWith(person!);
    expect(await memberOf(headers)).toMatchObject({ id: person!.actor.id, name: username });
    expect(await memberOf(new Headers())).toBeNull();
    expect(await memberOf(new Headers({ cookie: headers.get("cookie")!.slice(0, -3) }))).toBeNull();
    await rowsOf("update users set session_version = session_version + 1 where username = $1", [username]);
    await expect.poll(() => memberOf(headers)).toBeNull();
  });

  it("is a row that can be ended and periodically records its use", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    const [open, ended] = [await headersWith(person!), await headersWith(person!)];
    expect([await memberOf(open), await memberOf(ended)]).toEqual([
      expect.objectContaining({ name: username, session: expect.any(String) }),
      expect.objectContaining({ name: username }),
    ]);
    await rowsOf("update portal_sessions set last_seen_at = now() - interval '6 minutes' where user_id = $1", [
      person!.actor.id,
    ]);
    expect(await endSession(person!.actor.id, (await memberOf(ended))!.session!)).toBe(true);
    await expect.poll(() => memberOf(ended)).toBeNull();
    expect(await memberOf(open)).toMatchObject({ name: username });
    await expect
      .poll(
        async () => {
          await memberOf(open);
          return rowsOf(
            "select from portal_sessions where user_id = $1 and ended_at is null and last_seen_at > now() - interval '1 minute'",
            [person!.actor.id],
          );
        },
        { timeout: 10_000 },
      )
      .toHaveLength(1);
    // A person can't end another person's session.
    const other = await signInToPortal(...(await aMember().then((u) => [u.username, u.password] as const)), local);
    expect(await endSession(other!.actor.id, (await memberOf(open))!.session!)).toBe(false);
    expect(await purgeSessions()).toBe(0);
    await rowsOf("update portal_sessions set last_seen_at = now() - interval '31 days' where user_id = $1", [
      person!.actor.id,
    ]);
    expect(await purgeSessions()).toBe(2);
  });

  it("hides its cookie from scripts and other sites", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    expect(await newSessionCookie(person!, local)).toMatchObject({
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: false,
    });
  });
});

describe("failed sign-ins", () => {
  beforeEach(() => {
    // Rate limits refill over time. With a fixed clock they don't, however slow the machine is.
    vi.useFakeTimers({ toFake: ["performance"] });
    return changeSettings({ RATE_LIMITS: "1" });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Headers of a caller at this address. */
  const at = (address: string, more: Record<string, string> = {}) =>
    new Headers({ host: "127.0.0.1", "x-candor-address": address, ...more });
  const rateLimited = { code: "rate_limited" };

  it("are counted per user name and address, so that guessing ends after ten and locks out nobody elsewhere", async () => {
    const { username, password } = await aMember();
    const attacker = at("198.51.100.1");
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await signInToPortal(username, "guess", attacker)).toBeNull();
    await expect(signInToPortal(username, password, attacker)).rejects.toMatchObject(rateLimited);
    // The person elsewhere, also in the same network, and others at the same address.
    expect(await signInToPortal(username, password, at("203.0.113.1"))).not.toBeNull();
    expect(await signInToPortal(username, password, at("198.51.100.2"))).not.toBeNull();
    const other = await aMember();
    expect(await signInToPortal(other.username, other.password, attacker)).not.toBeNull();
    // A network gets no more than three times as many guesses as an address.
    for (let attempt = 0; attempt < 20; attempt += 1)
      expect(await signInToPortal(username, "guess", at(`198.51.100.${10 + attempt}`))).toBeNull();
    await expect(signInToPortal(username, password, at("198.51.100.99"))).rejects.toMatchObject(rateLimited);
    expect(await signInToPortal(username, password, at("203.0.113.1"))).not.toBeNull();
  });

  it("from very many addresses block all guesses at a name, but not a browser that signed in before", async () => {
    const { username, password } = await aMember();
    const other = await aMember();
    const cookieOf = (name: string, before = new Headers()) => {
      const cookie = knownDeviceCookie(name, before);
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "lax" });
      return { cookie: `a=b; ${cookie.name}=${cookie.value}` };
    };
    const known = cookieOf(username);
    for (let attempt = 0; attempt < 100; attempt += 1)
      expect(await signInToPortal(username, "guess", at(`10.${attempt}.1.1`))).toBeNull();
    await expect(signInToPortal(username, password, at("203.0.113.1"))).rejects.toMatchObject(rateLimited);
    for (const forged of [cookieOf(other.username), { cookie: `${known.cookie}x` }])
      await expect(signInToPortal(username, password, at("203.0.113.1", forged))).rejects.toMatchObject(rateLimited);
    expect(await signInToPortal(username, password, at("10.1.1.1", known))).not.toBeNull();
    // The cookie has its own limit and is no bypass: ten guesses, even with a renewed cookie.
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await signInToPortal(username, "guess", at("203.0.113.1", known))).toBeNull();
    const renewed = cookieOf(username, at("203.0.113.1", known));
    for (const device of [known, renewed])
      await expect(signInToPortal(username, password, at("203.0.113.7", device))).rejects.toMatchObject(rateLimited);
  });

  it("with a code are counted before the code is checked, so that fifty concurrent ones count as ten", async () => {
    const { username, password } = await aMember();
    const { secret, sealed } = newTotpSecret(username);
    await rowsOf("update users set totp_secret = $2 where username = $1", [username, sealed]);
    const attempt = await startSignIn(username, password, at("203.0.113.1"));
    if (!attempt || !("ticket" in attempt)) throw new Error("A ticket was to be given.");
    const wrong = "000000" === new TOTP({ secret }).generate() ? "000001" : "000000";
    const ends = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => finishSignIn(attempt.ticket, wrong, at(`10.${n}.1.1`))),
    );
    expect(ends.filter((end) => end.status === "fulfilled" && end.value === null)).toHaveLength(10);
    const others = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    expect(others).toHaveLength(40);
    for (const reason of others) expect(reason).toMatchObject(rateLimited);
    const code = () => new TOTP({ secret }).generate();
    await expect(finishSignIn(attempt.ticket, code(), at("203.0.113.1"))).rejects.toMatchObject(rateLimited);
    // Counted in the row, for all processes; a minute gives one try back, and a correct code costs none.
    await rowsOf("update users set code_tried_at = code_tried_at - interval '61 s' where username = $1", [username]);
    expect(await finishSignIn(attempt.ticket, code(), at("203.0.113.1"))).not.toBeNull();
    expect(await finishSignIn(attempt.ticket, code(), at("203.0.113.1"))).toBeNull(); // used
    await expect(finishSignIn(attempt.ticket, code(), at("203.0.113.1"))).rejects.toMatchObject(rateLimited);
  });
});
