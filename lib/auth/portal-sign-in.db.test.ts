import { afterEach, describe, expect, it, vi } from "vitest";
import { memberOf } from "@/lib/auth/member";
import { newSessionCookie } from "@/lib/auth/next-auth";
import { endSession, purgeSessions } from "@/lib/auth/portal-session";
import { signInToPortal } from "@/lib/auth/portal-sign-in";
import { aClient, aUser, fresh, rowsOf } from "@/lib/test/factories";

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
  it("opens with the right pair and notes when", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    expect(person?.actor).toMatchObject({ kind: "user", name: username, role: "moderator" });
    expect(
      await rowsOf("select last_sign_in_at is not null as noted from users where username = $1", [username]),
    ).toEqual([{ noted: true }]);
  });

  it("stays shut for a wrong password, an unknown name and what cannot be a password", async () => {
    const { username } = await aMember();
    for (const [name, password] of [
      [username, "wrong"],
      [fresh("nobody"), "x"],
      [username, "nul\0"],
      [username, "x".repeat(2_000)],
      ["", ""],
    ] as const)
      expect(await signInToPortal(name, password, local)).toBeNull();
  });

  it("stays shut for a disabled person and for a password alone where a second factor is asked for", async () => {
    const disabled = await aMember();
    await rowsOf("update users set disabled_at = now() where username = $1", [disabled.username]);
    expect(await signInToPortal(disabled.username, disabled.password, local)).toBeNull();
    const careful = await aMember();
    await rowsOf("update users set totp_secret = 'x' where username = $1", [careful.username]);
    expect(await signInToPortal(careful.username, careful.password, local)).toBeNull();
  });

  it("takes the demo's password from this machine only", async () => {
    const { username, password } = await aMember();
    await rowsOf("update users set demo = true where username = $1", [username]);
    expect(await signInToPortal(username, password, new Headers({ host: "reviews.example" }))).toBeNull();
    expect(
      await signInToPortal(username, password, new Headers({ host: "localhost", "x-forwarded-for": "203.0.113.9" })),
    ).toBeNull();
    const person = await signInToPortal(username, password, local);
    expect(person).not.toBeNull();
    // The same holds for the session: it does not travel.
    expect(await memberOf(await headersWith(person!))).toMatchObject({ name: username });
    expect(await memberOf(await headersWith(person!, "reviews.example"))).toBeNull();
  });
});

describe("the session", () => {
  it("is known by its cookie until it is forged, or the password or role changes", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    const headers = await headersWith(person!);
    expect(await memberOf(headers)).toMatchObject({ id: person!.actor.id, name: username });
    expect(await memberOf(new Headers())).toBeNull();
    expect(await memberOf(new Headers({ cookie: headers.get("cookie")!.slice(0, -3) }))).toBeNull();
    await rowsOf("update users set session_version = session_version + 1 where username = $1", [username]);
    await expect.poll(() => memberOf(headers)).toBeNull();
  });

  it("is a row that can be ended, and notes now and then that it is in use", async () => {
    const { username, password } = await aMember();
    const person = await signInToPortal(username, password, local);
    const [kept, ended] = [await headersWith(person!), await headersWith(person!)];
    expect([await memberOf(kept), await memberOf(ended)]).toEqual([
      expect.objectContaining({ name: username, session: expect.any(String) }),
      expect.objectContaining({ name: username }),
    ]);
    await rowsOf("update portal_sessions set last_seen_at = now() - interval '6 minutes' where user_id = $1", [
      person!.actor.id,
    ]);
    expect(await endSession(person!.actor.id, (await memberOf(ended))!.session!)).toBe(true);
    await expect.poll(() => memberOf(ended)).toBeNull();
    expect(await memberOf(kept)).toMatchObject({ name: username });
    await expect
      .poll(
        async () => {
          await memberOf(kept);
          return rowsOf(
            "select from portal_sessions where user_id = $1 and ended_at is null and last_seen_at > now() - interval '1 minute'",
            [person!.actor.id],
          );
        },
        { timeout: 10_000 },
      )
      .toHaveLength(1);
    // Nobody ends another's.
    const other = await signInToPortal(...(await aMember().then((u) => [u.username, u.password] as const)), local);
    expect(await endSession(other!.actor.id, (await memberOf(kept))!.session!)).toBe(false);
    expect(await purgeSessions()).toBe(0);
    await rowsOf("update portal_sessions set last_seen_at = now() - interval '31 days' where user_id = $1", [
      person!.actor.id,
    ]);
    expect(await purgeSessions()).toBe(2);
  });

  it("keeps its cookie from scripts and other sites", async () => {
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
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
  });

  it("are counted for the user name, so that guessing ends after ten", async () => {
    vi.stubEnv("RATE_LIMITS", "1");
    vi.resetModules();
    const { signInToPortal: limited } = await import("@/lib/auth/portal-sign-in");
    const { username, password } = await aMember();
    const from = (n: number) => new Headers({ host: "127.0.0.1", "x-candor-address": `198.51.100.${n}` });
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await limited(username, "guess", from(attempt))).toBeNull();
    await expect(limited(username, password, from(99))).rejects.toMatchObject({ code: "rate_limited" });
    // Others are not locked out with it.
    const other = await aMember();
    expect(await limited(other.username, other.password, from(1))).not.toBeNull();
  });
});
