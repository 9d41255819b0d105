import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { readKnownDevice } from "@/lib/accounts/sign-in/known-device";
import { consumeCode } from "@/lib/accounts/sign-in/second-factor";
import {
  combineFailures,
  type FailureCounter,
  failuresFor,
  failuresFrom,
  failuresOfDevice,
} from "@/lib/accounts/sign-in/sign-in-failures";
import { findSignedIn, type SignedIn, signIn } from "@/lib/accounts/sign-in/user";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { ipAddressOf } from "@/lib/platform/http/address";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

/** How long a code can be entered after the correct password. */
const TICKET_MS = 5 * 60_000;
const TICKET = "second-factor-ticket/1";

/**
 * The limits that a failed sign-in counts against: the browser if it's known, else the address, and the name at that
 * address, in its network and everywhere.
 */
function failures(name: string, headers: Headers): FailureCounter {
  const device = readKnownDevice(name, headers);
  if (device !== null) return failuresOfDevice(device);
  const address = ipAddressOf(headers, undefined);
  return combineFailures(failuresFrom(address), failuresFor(name, address));
}

/** `ticket`: the password was correct, and a code is required. */
export type SignInAttempt = { person: SignedIn } | { ticket: string } | null;

/**
 * Checks a user name and password for the portal. The request's `headers` give the address that failures are counted
 * for and decide whether the demo's credentials are allowed. A person with two-factor authentication gets a ticket for
 * {@link finishSignIn}. Throws `rate_limited`.
 */
export async function startSignIn(username: string, password: string, headers: Headers): Promise<SignInAttempt> {
  const { throwIfTooMany, count } = failures(username, headers);
  throwIfTooMany();
  const isPlausible = username.length <= 320 && password.length <= 1_000 && !`${username}${password}`.includes("\0");
  const person = isPlausible ? await signIn(username, password) : null;
  throwIfTooMany(); // others may have failed in the meantime; otherwise all of many concurrent guesses would be answered
  if (!person || (person.demo && !demoAllowedFor(headers))) {
    count();
    return null;
  }
  if (person.secondFactor) {
    const ends = String(now().getTime() + TICKET_MS);
    return { ticket: signToken(TICKET, [person.actor.id, String(person.sessionVersion), ends]) };
  }
  return { person: await recordSignIn(person) };
}

/**
 * Signs in with a ticket and a code from the app or a recovery code. Null for a wrong code or an expired ticket. Throws
 * `rate_limited`.
 */
export async function finishSignIn(ticket: string, code: string, headers: Headers): Promise<SignedIn | null> {
  const [id, version, ends] = readToken(TICKET, ticket, 3) ?? [];
  const person = id !== undefined && Number(ends) > now().getTime() ? await findSignedIn(id, Number(version)) : null;
  const isKnown = person !== null && readKnownDevice(person.actor.name, headers) !== null;
  const addressFailures = isKnown ? null : failuresFrom(ipAddressOf(headers, undefined));
  addressFailures?.throwIfTooMany();
  const right = person !== null && code.length <= 100 && (await consumeCode(person.actor.id, code));
  if (!right) {
    addressFailures?.count();
    return null;
  }
  return recordSignIn(person);
}

/** Both steps, for callers that send everything in one form. */
export async function signInToPortal(
  username: string,
  password: string,
  headers: Headers,
  code = "",
): Promise<SignedIn | null> {
  const attempt = await startSignIn(username, password, headers);
  if (attempt === null) return null;
  if ("person" in attempt) return attempt.person;
  return finishSignIn(attempt.ticket, code, headers);
}

async function recordSignIn(person: SignedIn): Promise<SignedIn> {
  await pool().query("update users set last_sign_in_at = now() where id = $1", [person.actor.id]);
  return person;
}
