import type { PoolClient } from "pg";
import { appendEntries } from "@/lib/honesty/append-entries";
import { verifierTextOf } from "@/lib/honesty/log/signed-note";
import { createKey, type PublicKey, publicKeys, retireKey } from "@/lib/honesty/signing-keys";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { insertFacts, lockPosition, selectOrigins } from "./sql";

/**
 * Adds a key. From now on it signs every log's checkpoints beside the others, and each log announces it: verifiers can
 * learn it from there until the other one is retired. Returns its id.
 */
export async function addKey(): Promise<string> {
  const key = await transaction(async (db) => {
    await waitForAppending(db);
    const added = await createKey(db);
    await recordKey(db, added, "key");
    return added;
  });
  await appendEntries();
  return key.id;
}

/**
 * Retires a key: it signs no more, each log says so, and its secret is deleted. Works for a key that can't be decrypted,
 * too. Throws `not_found` if it doesn't sign, `conflict` if it is the only one.
 */
export async function endKey(id: string): Promise<void> {
  await transaction(async (db) => {
    await waitForAppending(db);
    const keys = await publicKeys(db);
    const key = keys.find((each) => each.id === id);
    if (!key) throw new AppError("not_found", { reason: "log_key_not_found", params: { id } });
    if (keys.length === 1) throw new AppError("conflict", { reason: "only_log_key" });
    await recordKey(db, key, "key_retired");
    await retireKey(db, id);
  });
  await appendEntries();
}

/** A log that is created meanwhile would not have the entry. */
const waitForAppending = (db: PoolClient): Promise<unknown> => lockPosition(db, "wait");

async function recordKey(db: PoolClient, { public_key }: PublicKey, action: "key" | "key_retired"): Promise<void> {
  const facts = (await selectOrigins(db)).map(({ client_id, origin }) => ({
    client_id,
    facts: { key: verifierTextOf(origin, public_key) },
  }));
  await insertFacts(db, action, facts);
}
