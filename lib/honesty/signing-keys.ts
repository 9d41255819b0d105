import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Signer, verifierTextOf } from "@/lib/honesty/log/signed-note";
import type { Db } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { type SealedColumn, seal, unseal } from "@/lib/platform/secrets/seal";

// The installation's keys that sign checkpoints: one, or two while a new one replaces the old.

const PURPOSE = "log-key/1";
export const sealedColumns: SealedColumn[] = [
  { table: "log_keys", key: ["id"], column: "sealed_secret", purpose: PURPOSE },
];

/** A key that signs: its id, and its public part as 32 bytes. */
export type PublicKey = { id: string; public_key: Buffer };

/** Its private part. */
export type SigningKey = PublicKey & { key: KeyObject };

/** The keys that sign now, oldest first. */
export async function publicKeys(db: Db): Promise<PublicKey[]> {
  const { rows } = await db.query<PublicKey>({
    name: "log-public-keys",
    text: "select id, public_key from log_keys where retired_at is null order by created_at, id",
  });
  return rows;
}

/**
 * The keys that sign now, oldest first, to sign with them. Creates the first one: the caller has locked the logs'
 * position. Throws if this installation's secret can't decrypt one: retire that key.
 */
export async function signingKeys(db: Db): Promise<SigningKey[]> {
  const known = await selectKeys(db);
  if (known.length > 0) return known;
  await createKey(db);
  return selectKeys(db);
}

/** Creates a key that signs from now on, beside the others. One process at a time may call it. */
export async function createKey(db: Db): Promise<PublicKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  const key = {
    id: newId("lkey"),
    public_key: Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url"),
  };
  await db.query("insert into log_keys (id, sealed_secret, public_key) values ($1, $2, $3)", [
    key.id,
    seal(PURPOSE, secret),
    key.public_key,
  ]);
  return key;
}

/** Ends a key: it signs no more, and its secret is deleted. */
export async function retireKey(db: Db, id: string): Promise<void> {
  await db.query("update log_keys set sealed_secret = null, retired_at = now() where id = $1", [id]);
}

async function selectKeys(db: Db): Promise<SigningKey[]> {
  const { rows } = await db.query<PublicKey & { sealed_secret: Buffer }>({
    name: "log-keys",
    text: "select id, public_key, sealed_secret from log_keys where retired_at is null order by created_at, id",
  });
  return rows.map(({ sealed_secret, ...key }) => ({ ...key, key: createPrivateKey(unseal(PURPOSE, sealed_secret)) }));
}

/** The keys as signers of the log with this origin. */
export const signersOf = (keys: SigningKey[], origin: string): Signer[] =>
  keys.map(({ key }) => ({ name: origin, key }));

/** The verifier keys of the log with this origin: those that sign now. */
export const verifierKeys = async (db: Db, origin: string): Promise<string[]> =>
  (await publicKeys(db)).map(({ public_key }) => verifierTextOf(origin, public_key));
