import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { knownDevice } from "@/lib/accounts/sign-in/known-device";
import { consumeCode } from "@/lib/accounts/sign-in/second-factor";
import {
  combineFailures,
  type Failures,
  failuresFor,
  failuresFrom,
  failuresOfDevice,
} from "@/lib/accounts/sign-in/sign-in-failures";
import { findSignedIn, type SignedIn, signIn } from "@/lib/accounts/sign-in/user";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { ipAddressOf } from "@/lib/platform/http/address";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

/** How long somebody who gave the right password may look for the app. */
const TICKET_MS = 5 * 60_000;
const TICKET = "second-factor-ticket/1";

/**
 * What failed sign-ins with a user name are counted for: the browser where that is known, else the address, and the name
 * there, in its network and everywhere.
 */
function failures(name: string, headers: Headers): Failures {
  const device = knownDevice(name, headers);
  if (device !== null) return failuresOfDevice(device);
  const address = ipAddressOf(headers, undefined);
  return combineFailures(failuresFrom(address), failuresFor(name, address));
}

/** `ticket`: the password was right, and a code is wanted with it. */
export type Attempt = { person: SignedIn } | { ticket: string } | null;

/**
 * Tries a user name and password at the portal's door. `headers` are the request's: they tell the address that failures
 * are counted for and whether the demo's credentials may be used. Who has a second factor gets a ticket for
 * {@link finishSignIn}. Throws `rate_limited`.
 */
export async function startSignIn(username: string, password: string, headers: Headers): Promise<Attempt> {
  const { throwIfTooMany, count } = failures(username, headers);
  throwIfTooMany();
  const fits = username.length <= 320 && password.length <= 1_000 && !`${username}${password}`.includes("\0");
  const person = fits ? await signIn(username, password) : null;
  throwIfTooMany(); // others failed while this pair was looked at; guesses sent all at once would else all be answered
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
 * Lets in who brings a ticket and a code of the app, or one of the codes on paper. Null for a wrong code, and for a ticket
 * that has run out. Throws `rate_limited`.
 */
export async function finishSignIn(ticket: string, code: string, headers: Headers): Promise<SignedIn | null> {
  const [id, version, ends] = readToken(TICKET, ticket, 3) ?? [];
  const person = id !== undefined && Number(ends) > now().getTime() ? await findSignedIn(id, Number(version)) : null;
  const isKnown = person !== null && knownDevice(person.actor.name, headers) !== null;
  const addressFailures = isKnown ? null : failuresFrom(ipAddressOf(headers, undefined));
  addressFailures?.throwIfTooMany();
  const right = person !== null && code.length <= 100 && (await consumeCode(person.actor.id, code));
  if (!right) {
    addressFailures?.count();
    return null;
  }
  return recordSignIn(person);
}

/** Both at once, for those who send everything in one form. */
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
