import { pool } from "@/lib/db/pool";
import { keyIds, SettingsError } from "@/lib/env";

/**
 * Sees to it that keyed hashes are made with the secret that they were made with before: with another one, whoever asked for
 * no more mail would be unknown. The first start notes which one that is; without `note` nothing is written. Throws
 * {@link SettingsError}.
 */
export async function checkLastingSecret({ note = true } = {}): Promise<void> {
  const { lasting } = keyIds();
  const read = async () =>
    (await pool().query<{ key_id: string }>("select key_id from lasting_secret")).rows[0]?.key_id;
  let noted = await read();
  if (noted === undefined) {
    if (!note) return;
    await pool().query("insert into lasting_secret (key_id) values ($1) on conflict do nothing", [lasting]);
    noted = await read();
  }
  if (noted === lasting) return;
  throw new SettingsError(
    `Settings: this database knows people by hashes made with the secret ${noted}, and the last one set is ${lasting}: ` +
      "name that secret last in CANDOR_OLD_SECRETS (see lib/secrets/README.md).",
  );
}

/** Takes the last secret that is set for the one that hashes are made with, where the one before is lost for good. */
export async function adoptLastingSecret(): Promise<{
  lasting: string;
  before: string | null;
}> {
  const { lasting } = keyIds();
  const { rows } = await pool().query<{ before: string | null }>(
    `with old as (select key_id from lasting_secret)
     insert into lasting_secret (key_id) values ($1)
     on conflict (one) do update set key_id = excluded.key_id, noted_at = now()
     returning (select key_id from old) as before`,
    [lasting],
  );
  return { lasting, before: rows[0]?.before ?? null };
}
