import { createHmac, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { env, lastingKey } from "@/lib/platform/env";
import { currentLimit, rateLimitError } from "@/lib/platform/http/rate-limit";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

// Two-factor authentication: codes from an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds, which every app
// supports), and recovery codes. The app's secret is stored encrypted, recovery codes as keyed hashes.

const PURPOSE = "second-factor/1";
export const sealedColumns: SealedColumn[] = ["totp_secret", "totp_pending"].map((column) => ({
  table: "users",
  key: ["id"],
  column,
  purpose: PURPOSE,
}));
const SECRET_BYTES = 20;
const PERIOD_MS = 30_000;
/** Time steps before and after the present one for which a code is accepted, since clocks differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** Letters and digits that aren't easily confused. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

const totpOf = (base32: string, label = "") =>
  new TOTP({ issuer: "Candor", label, secret: Secret.fromBase32(base32), algorithm: "SHA1", digits: 6, period: 30 });

/** A new secret: as text to type, as the address for a QR code, and encrypted. */
export function newTotpSecret(username: string): { secret: string; uri: string; sealed: Buffer<ArrayBuffer> } {
  const { base32 } = new Secret({ size: SECRET_BYTES });
  const label = `${username} (${new URL(env().PUBLIC_URL).host})`;
  return { secret: base32, uri: totpOf(base32, label).toString(), sealed: seal(PURPOSE, base32) };
}

/** The time step of a code; null if it's invalid now, or if the secret can't be decrypted. */
export function totpStepOf(sealed: Buffer, code: string): number | null {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const at = now().getTime();
  const secret = tryUnseal(PURPOSE, sealed);
  const delta = secret === null ? null : totpOf(secret).validate({ token, timestamp: at, window: WINDOW });
  return delta === null ? null : Math.floor(at / PERIOD_MS) + delta;
}

/** New recovery codes, in plain text to show once, and as hashes to store. */
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
 * Uses up a code from the app or a recovery code. Each works once, even if it's sent twice concurrently. Every try is
 * counted in the person's row before its code is checked, so concurrent tries at all processes count, too; a correct
 * one is refunded. Throws `rate_limited`.
 */
export async function consumeCode(userId: string, code: string, db: Db = pool()): Promise<boolean> {
  const sealed = await countAttempt(userId, db);
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

/** SQL: the tries that count now; $2 expire per second. */
const tries = `greatest(0, code_tries - $2 * greatest(0, extract(epoch from now() - coalesce(code_tried_at, now()))))`;

/** Counts a try and returns the app's encrypted secret; null if there is none. Throws `rate_limited`. */
async function countAttempt(userId: string, db: Db): Promise<Buffer | null> {
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
