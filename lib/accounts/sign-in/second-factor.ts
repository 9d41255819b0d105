import { createHmac, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { env, lastingKey } from "@/lib/platform/env";
import { currentLimit, rateLimitError } from "@/lib/platform/http/rate-limit";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

// The second factor: codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds, as every app knows them), and
// codes on paper for the day that the app is lost. The app's secret lies sealed, the others as keyed hashes.

const PURPOSE = "second-factor/1";
export const sealedColumns: SealedColumn[] = ["totp_secret", "totp_pending"].map((column) => ({
  table: "users",
  key: ["id"],
  column,
  purpose: PURPOSE,
}));
const SECRET_BYTES = 20;
const PERIOD_MS = 30_000;
/** Steps of time before and after that a code is still taken for: clocks differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Letters and digits that nobody takes for one another. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

const totpOf = (base32: string, label = "") =>
  new TOTP({ issuer: "Candor", label, secret: Secret.fromBase32(base32), algorithm: "SHA1", digits: 6, period: 30 });

/** A new secret, as it is shown: for typing, and as the address that an app reads from a picture. */
export function newSecret(username: string): { secret: string; uri: string; sealed: Buffer<ArrayBuffer> } {
  const { base32 } = new Secret({ size: SECRET_BYTES });
  const label = `${username} (${new URL(env().PUBLIC_URL).host})`;
  return { secret: base32, uri: totpOf(base32, label).toString(), sealed: seal(PURPOSE, base32) };
}

/** The step of time that a code of this secret is for; null where it is none now, or the secret cannot be opened any more. */
export function totpStepOf(sealed: Buffer, code: string): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const at = now().getTime();
  const secret = tryUnseal(PURPOSE, sealed);
  const delta = secret === null ? null : totpOf(secret).validate({ token, timestamp: at, window: WINDOW });
  return delta === null ? null : Math.floor(at / PERIOD_MS) + delta;
}

/** Codes for a lost app, as they are shown this once, and as they are kept. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = [...randomBytes(10)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
  return { codes, hashes: codes.map(hashOf) };
}

const hashOf = (code: string): string =>
  createHmac("sha256", lastingKey("recovery-code/1"))
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ""))
    .digest("base64url");

/**
 * Uses up a code of the app, or one on paper. Each works once, also where it comes twice at the same moment. Every try is
 * counted before its code is looked at, in the person's row: those sent all at once, to whichever process, count too. A right
 * one is given back. Throws `rate_limited`.
 */
export async function consumeCode(userId: string, code: string, db: Db = pool()): Promise<boolean> {
  const sealed = await takeAttempt(userId, db);
  if (!sealed) return false;
  const step = totpStepOf(sealed, code);
  const { rowCount } =
    step !== null
      ? await db.query(
          `update users set totp_last_step = $2, ${returnAttempt}
            where id = $1 and (totp_last_step is null or totp_last_step < $2)`,
          [userId, step],
        )
      : await db.query(
          `update users set recovery_codes = array_remove(recovery_codes, $2), ${returnAttempt}
            where id = $1 and $2 = any(recovery_codes)`,
          [userId, hashOf(code)],
        );
  return rowCount === 1;
}

const returnAttempt = "code_tries = greatest(0, code_tries - 1)";

/** SQL: the tries that count now: so many ($2) a second are forgotten. */
const tries = `greatest(0, code_tries - $2 * greatest(0, extract(epoch from now() - coalesce(code_tried_at, now()))))`;

/** Takes a try and answers the app's sealed secret; null for who has none. Throws `rate_limited`. */
async function takeAttempt(userId: string, db: Db): Promise<Buffer | null> {
  const limit = currentLimit("failed_code");
  const { rows } = await db.query<{ totp_secret: Buffer }>(
    `update users set code_tries = ${tries} + 1, code_tried_at = now()
      where id = $1 and totp_secret is not null and ($3::float8 is null or ${tries} + 1 <= $3) returning totp_secret`,
    [userId, limit?.perSecond ?? 1, limit?.burst ?? null],
  );
  if (rows[0] || !limit) return rows[0]?.totp_secret ?? null;
  const { rows: counted } = await db.query<{ tries: number }>(
    `select ${tries} as tries from users where id = $1 and totp_secret is not null`,
    [userId, limit.perSecond],
  );
  if (!counted[0]) return null;
  throw rateLimitError("failed_code", "too_many_failed_sign_ins", { ...limit, left: limit.burst - counted[0].tries });
}
