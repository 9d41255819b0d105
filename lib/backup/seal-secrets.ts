import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";
import { AppError } from "@/lib/platform/errors";

// Encrypts the installation's secrets with a passphrase: scrypt derives the key, AES-256-GCM encrypts. The cost is
// fixed by the format and not read from the file, so that a crafted file can't use up all memory.

const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const CIPHER = "aes-256-gcm";
const PURPOSE = Buffer.from("candor-backup-secrets/1");
const MIN_PASSPHRASE_LENGTH = 12;

const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const Sealed = z.strictObject({
  kdf: z.literal("scrypt"),
  cipher: z.literal(CIPHER),
  salt: base64,
  nonce: base64,
  tag: base64,
  text: base64,
});
const Secrets = z.tuple([z.string().min(32)]).rest(z.string().min(32));
/** All secrets that are set, the present one first. */
export type Secrets = z.infer<typeof Secrets>;

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)(passphrase.normalize("NFC"), salt, 32, COST);

/** Throws `invalid_parameter` if the passphrase is too short. */
export async function sealSecrets(secrets: readonly string[], passphrase: string): Promise<string> {
  if (passphrase.length < MIN_PASSPHRASE_LENGTH)
    throw new AppError("invalid_parameter", { reason: "passphrase_too_short", params: { min: MIN_PASSPHRASE_LENGTH } });
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), nonce).setAAD(PURPOSE);
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  const parts = Object.entries({ salt, nonce, tag: cipher.getAuthTag(), text });
  return JSON.stringify({
    kdf: "scrypt",
    cipher: CIPHER,
    ...Object.fromEntries(parts.map(([name, bytes]) => [name, bytes.toString("base64")])),
  });
}

/** Throws `invalid_parameter` if the passphrase is wrong. */
export async function openSecrets(sealed: string, passphrase: string): Promise<Secrets> {
  try {
    const { salt, nonce, tag, text } = Sealed.parse(JSON.parse(sealed));
    const decipher = createDecipheriv(CIPHER, await keyOf(passphrase, salt), nonce, { authTagLength: 16 });
    decipher.setAAD(PURPOSE).setAuthTag(tag);
    return Secrets.parse(JSON.parse(Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8")));
  } catch (cause) {
    throw new AppError("invalid_parameter", { reason: "wrong_passphrase", cause });
  }
}
