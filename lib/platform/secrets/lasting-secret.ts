import { pool } from "@/lib/platform/db/pool";
import { keyIds, SettingsError } from "@/lib/platform/env";
import { personHashWith } from "@/lib/platform/secrets/person-hash";

/** Stored customers that are looked at to tell which secret their hashes were made with. */
const SAMPLE = 50;

/**
 * Sees to it that keyed hashes are made with the secret that they were made with before: with another one, whoever asked for
 * no more mail would be unknown. The first start notes which one that is, if the customers who are stored already do not
 * tell of another; without `note` nothing is written. Throws {@link SettingsError}.
 */
export async function checkLastingSecret({ note = true } = {}): Promise<void> {
  const { lasting } = keyIds();
  const noted = await recordedSecret();
  if (noted !== null) return requireLastingSecret(noted);
  const makers = await secretsOfHashes();
  if (makers && !makers.includes(lasting)) requireLastingSecret(makers[0] ?? null);
  if (!note) return;
  await pool().query("insert into lasting_secret (key_id) values ($1) on conflict do nothing", [lasting]);
  requireLastingSecret(await recordedSecret()); // of two that start at once with different secrets, one has noted its own
}

/**
 * Takes the last secret that is set for the one that hashes are made with, where the one before is lost for good. Throws
 * {@link SettingsError} where that one is set and only stands at the wrong place, so that nothing need be lost.
 */
export async function adoptLastingSecret(): Promise<{
  lasting: string;
  before: string | null;
}> {
  const { lasting, all } = keyIds();
  const noted = await recordedSecret();
  if (noted === lasting) return { lasting, before: noted };
  const makers = await secretsOfHashes();
  // What was noted may be wrong itself: then hashes of stored customers tell of the secret that is to be adopted.
  if (!makers?.includes(lasting))
    for (const one of [noted, ...(makers ?? [])]) if (one && all.includes(one)) requireLastingSecret(one);
  const { rows } = await pool().query<{ before: string | null }>(
    `with old as (select key_id from lasting_secret)
     insert into lasting_secret (key_id) values ($1)
     on conflict (one) do update set key_id = excluded.key_id, noted_at = now()
     returning (select key_id from old) as before`,
    [lasting],
  );
  return { lasting, before: rows[0]?.before ?? null };
}

/** The id of the secret that hashes are made with, as the first start noted it. */
async function recordedSecret(): Promise<string | null> {
  const { rows } = await pool().query<{ key_id: string }>("select key_id from lasting_secret");
  return rows[0]?.key_id ?? null;
}

/**
 * Those of the secrets set that made the hashes of some stored customers, whose ids are there in plain; null where there are
 * no customers.
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

/** Throws where hashes were made with another secret than the last one that is set; null: with none that is set. */
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
