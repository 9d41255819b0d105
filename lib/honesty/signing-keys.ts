import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { type Signer, verifierText } from "@/lib/honesty/log/signed-note";
import type { Db } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { type SealedColumn, seal, unseal } from "@/lib/platform/secrets/seal";

// The installation's keys that sign checkpoints: one, or two while a new one replaces the old.

const PURPOSE = "log-key/1";
export const sealedColumns: SealedColumn[] = [
  { table: "log_keys", key: ["id"], column: "sealed_secret", purpose: PURPOSE },
];

/** A private key with its id. */
export type SigningKey = { id: string; key: KeyObject };

/** The keys that sign now, oldest first. Creates the first one: the caller has locked the logs' position. */
export async function signingKeys(db: Db): Promise<SigningKey[]> {
  const known = await selectKeys(db);
  if (known.length > 0) return known;
  await createKey(db);
  return selectKeys(db);
}

/** Creates a key that signs from now on, beside the others. Returns its id. One process at a time may call it. */
export async function createKey(db: Db): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url");
  const id = newId("lkey");
  await db.query("insert into log_keys (id, sealed_secret, public_key) values ($1, $2, $3)", [
    id,
    seal(PURPOSE, secret),
    raw,
  ]);
  return id;
}

/** Ends a key: it signs no more, and its secret is deleted. */
export async function retireKey(db: Db, id: string): Promise<void> {
  await db.query("update log_keys set sealed_secret = null, retired_at = now() where id = $1", [id]);
}

async function selectKeys(db: Db): Promise<SigningKey[]> {
  const { rows } = await db.query<{ id: string; sealed_secret: Buffer }>({
    name: "log-keys",
    text: "select id, sealed_secret from log_keys where retired_at is null order by created_at, id",
  });
  return rows.map(({ id, sealed_secret }) => ({ id, key: createPrivateKey(unseal(PURPOSE, sealed_secret)) }));
}

/** The keys as signers of the log with this origin. */
export const signersOf = (keys: SigningKey[], origin: string): Signer[] =>
  keys.map(({ key }) => ({ name: origin, key }));

/** The verifier keys of the log with this origin: those that sign now. */
export const verifierKeys = async (db: Db, origin: string): Promise<string[]> =>
  signersOf(await signingKeys(db), origin).map(verifierText);
