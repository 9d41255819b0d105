import { pool } from "@/lib/platform/db/pool";
import { keyIds, SettingsError } from "@/lib/platform/env";
import { personHashWith } from "@/lib/platform/secrets/person-hash";

/** Number of stored customers to check for the secret of their hashes. */
const SAMPLE = 50;

/**
 * Checks that keyed hashes are made with the same secret as before: with another, people who opted out would not be
 * recognized. The first start records the secret, unless hashes of stored customers were made with another. Writes
 * nothing without `note`. Throws {@link SettingsError}.
 */
export async function checkLastingSecret({ note: record = true } = {}): Promise<void> {
  const { lasting } = keyIds();
  const recorded = await recordedSecret();
  if (recorded !== null) return requireLastingSecret(recorded);
  const makers = await secretsOfHashes();
  if (makers && !makers.includes(lasting)) requireLastingSecret(makers[0] ?? null);
  if (!record) return;
  await pool().query("insert into lasting_secret (key_id) values ($1) on conflict do nothing", [lasting]);
  requireLastingSecret(await recordedSecret()); // of two concurrent starts with different secrets, one recorded its own
}

/**
 * Records the last secret that is set as the one for hashes, if the previous one is lost for good. Throws {@link
 * SettingsError} if the previous one is set in the wrong position, since then nothing is lost.
 */
export async function adoptLastingSecret(): Promise<{
  lasting: string;
  before: string | null;
}> {
  const { lasting, all } = keyIds();
  const recorded = await recordedSecret();
  if (recorded === lasting) return { lasting, before: recorded };
  const makers = await secretsOfHashes();
  // The recorded secret may itself be wrong: hashes of stored customers then confirm the one to adopt.
  if (!makers?.includes(lasting))
    for (const one of [recorded, ...(makers ?? [])]) if (one && all.includes(one)) requireLastingSecret(one);
  const { rows } = await pool().query<{ before: string | null }>(
    `with old as (select key_id from lasting_secret)
     insert into lasting_secret (key_id) values ($1)
     on conflict (one) do update set key_id = excluded.key_id, noted_at = now()
     returning (select key_id from old) as before`,
    [lasting],
  );
  return { lasting, before: rows[0]?.before ?? null };
}

/** The id of the recorded secret. Null if there is none. */
async function recordedSecret(): Promise<string | null> {
  const { rows } = await pool().query<{ key_id: string }>("select key_id from lasting_secret");
  return rows[0]?.key_id ?? null;
}

/**
 * The ids of the set secrets that made the hashes of some stored customers, whose ids are stored in plain text. Null if
 * there are no customers.
 */
async function secretsOfHashes(): Promise<string[] | null> {
  const { rows } = await pool().query<{ client_id: string; id: string; id_hash: string }>(
    "select client_id, id, id_hash from customers limit $1",
    [SAMPLE],
  );
  const made = (key: string) =>
    rows.some(({ client_id, id, id_hash }) => personHashWith(key, client_id, "customer", id) === id_hash);
  return rows.length === 0 ? null : keyIds().all.filter(made);
}

/** Throws if `maker` isn't the last secret that is set. Null: hashes were made with a secret that isn't set. */
function requireLastingSecret(maker: string | null): void {
  const { lasting, all } = keyIds();
  if (maker === lasting) return;
  const which =
    maker === null
      ? "a secret that is not set"
      : `the secret ${maker}${all.includes(maker) ? ", which is set but not as the last one" : ""}`;
  const last = maker === null ? "the installation's first secret" : "that secret";
  throw new SettingsError(
    `Settings: this database identifies people by hashes made with ${which}, but the last secret that is set is ${lasting}: ` +
      `put ${last} last in CANDOR_OLD_SECRETS (see lib/platform/secrets/README.md).`,
  );
}
