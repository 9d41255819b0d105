import { demoAllowedFor } from "@/lib/auth/demo";
import { type SignedIn, signIn } from "@/lib/auth/user";
import { pool } from "@/lib/db/pool";
import { addressOf, networkOf } from "@/lib/http/address";
import { refuseSpent, spendToken } from "@/lib/http/rate-limit";

/**
 * The person behind a user name and password given at the portal's door, or null. `headers` are the request's: they
 * tell the address that failures are counted for (50 in 10 minutes; 10 per user name) and whether the demo's
 * credentials may be used. A person with a second factor needs more than a password and is not let in by it.
 * Throws `rate_limited`.
 */
export async function signInToPortal(username: string, password: string, headers: Headers): Promise<SignedIn | null> {
  const address = networkOf(addressOf(headers, undefined));
  const refuseMany = () => {
    refuseSpent("failed_address", address);
    refuseSpent("failed_user", username);
  };
  refuseMany();
  const fits = username.length <= 320 && password.length <= 1_000 && !`${username}${password}`.includes("\0");
  const person = fits ? await signIn(username, password) : null;
  refuseMany(); // others failed while this pair was looked at; guesses sent all at once would else all be answered
  if (!person || person.secondFactor || (person.demo && !demoAllowedFor(headers))) {
    spendToken("failed_address", address);
    spendToken("failed_user", username);
    return null;
  }
  await pool().query("update users set last_sign_in_at = now() where id = $1", [person.actor.id]);
  return person;
}
