import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Signer } from "@/lib/honesty/log/signed-note";
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

/** The keys that sign now, oldest first. Creates the first one. */
export async function signingKeys(db: Db): Promise<SigningKey[]> {
  const known = await selectKeys(db);
  if (known.length > 0) return known;
  await createKey(db, "if there is none");
  return selectKeys(db);
}

/** Creates a key that signs from now on, beside the others. Returns its id; null if there was one already. */
export async function createKey(db: Db, condition: "always" | "if there is none" = "always"): Promise<string | null> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const secret = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url");
  const { rows } = await db.query<{ id: string }>(
    `insert into log_keys (id, sealed_secret, public_key)
     select $1, $2, $3 where $4 or not exists (select from log_keys) returning id`,
    [newId("lkey"), seal(PURPOSE, secret), raw, condition === "always"],
  );
  return rows[0]?.id ?? null;
}

/** Ends a key: it signs no more, and its secret is deleted. False if it's unknown, ended, or the only one. */
export async function retireKey(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update log_keys set sealed_secret = null, retired_at = now()
      where id = $1 and retired_at is null and (select count(*) from log_keys where retired_at is null) > 1`,
    [id],
  );
  return rowCount === 1;
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
