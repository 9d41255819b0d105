import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { backupFormat, type CheckedArchive, openArchive } from "@/lib/backup/archive";
import { FileWrites } from "@/lib/backup/files";
import type { Manifest } from "@/lib/backup/manifest";
import { readMigrations } from "@/lib/backup/migrations";
import { damaged, loadRows } from "@/lib/backup/rows";
import { openSecrets, type Secrets } from "@/lib/backup/seal-secrets";
import { clearUnfinishedRestore, markRestoreUnfinished, unfinishedDigest } from "@/lib/backup/unfinished-restore";
import { type Difference, verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { env, keyIdOf, keyIds } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { queueUnfinishedRuns } from "@/lib/platform/jobs/queue-unfinished-runs";
import { migrate } from "@/lib/tools/launch/migrate.mjs";
import {
  connect,
  copyIn,
  countOtherConnections,
  dropAll,
  lockBackups,
  selectPending,
  selectTables,
  selectUsedTables,
  setSequences,
  suspendConstraints,
} from "./sql";

export type RestoreReport = {
  file: string;
  created_at: string;
  tables: number;
  rows: number;
  files: number;
  /** files that were missing when the backup was made */
  missing: string[];
  secret: SecretReport;
  /** work that the service continues when it starts */
  pending: Awaited<ReturnType<typeof selectPending>>;
  /** counters that the recount found wrong: none, unless they were wrong before */
  differences: Difference[];
};

/**
 * Whether this installation has the backup's secret: `set` already, `restored` to the data folder, or `needed` before
 * the start. `settings` are what to set, if the backup's secrets could be decrypted.
 */
export type SecretReport = {
  state: "set" | "restored" | "needed";
  id: string;
  settings?: { CANDOR_SECRET: string; CANDOR_OLD_SECRETS: string };
};

type Options = {
  passphrase?: string;
  /** continue without the secrets of a backup that has them */
  withoutSecrets?: boolean;
  onProgress?: (progress: { rows: number; files: number }) => void;
};

/**
 * Describes a backup file after reading it to its end. Changes nothing. Throws `invalid_parameter` for any other file.
 */
export async function inspectBackup(file: string) {
  const archive = await openArchive(backupFormat, file);
  await archive.close();
  const { created_at, postgres, migrations, tables, files, secret } = archive.manifest;
  return {
    file,
    created_at,
    postgres,
    last_migration: migrations.at(-1)?.name,
    tables: tables.length,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    missing: files.missing,
    secret: secret.lasting,
    secrets: archive.secrets !== null,
  };
}

/**
 * Restores a backup file into an empty installation. Files come first, the database is one transaction: a restore that
 * dies leaves an empty database and a marker, and can be run again. Before anything is written, throws
 * `invalid_parameter` for a damaged or foreign file, and `conflict` if it doesn't fit this installation.
 */
export async function restore(file: string, options: Options = {}): Promise<RestoreReport> {
  const archive = await openArchive(backupFormat, file);
  const db = await connect().catch(async (error) => {
    await archive.close();
    throw error;
  });
  try {
    const { manifest, digest } = archive;
    const { DATA_DIR, DATABASE_URL } = env();
    const migrations = readMigrations(manifest.migrations);
    if (!(await lockBackups(db))) throw new AppError("conflict", { reason: "backup_running" });
    // An earlier restore committed the rows but didn't finish the steps after that.
    const isLoaded = unfinishedDigest(DATA_DIR) === digest && (await selectUsedTables(db)).length > 0;
    if (!isLoaded) await requireEmptyInstallation(db);
    const secrets = await secretsFor(archive, options);

    mkdirSync(DATA_DIR, { recursive: true });
    markRestoreUnfinished(DATA_DIR, digest);
    const secret = saveSecrets(manifest, secrets);
    if (!isLoaded) await load(db, archive, migrations, options.onProgress);
    await migrate(DATABASE_URL, (_, work) => work());
    await queueUnfinishedRuns();
    const differences = await verifySummaries(undefined, db);
    const pending = await selectPending(db);
    clearUnfinishedRestore(DATA_DIR);
    const { created_at, tables, files } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      file,
      created_at,
      tables: tables.length,
      rows,
      files: files.count,
      missing: files.missing,
      secret,
      pending,
      differences,
    };
  } finally {
    await db.end();
    await archive.close();
  }
}

async function requireEmptyInstallation(db: pg.Client): Promise<void> {
  const used = await selectUsedTables(db);
  if (used.length > 0)
    throw new AppError("conflict", {
      reason: "installation_not_empty",
      params: { tables: `${used.slice(0, 5).join(", ")}${used.length > 5 ? ", …" : ""}` },
    });
  if ((await countOtherConnections(db)) > 0) throw new AppError("conflict", { reason: "installation_running" });
}

/** The secrets in the file, if this installation needs them. */
async function secretsFor(
  { manifest, secrets }: CheckedArchive<Manifest>,
  { passphrase, withoutSecrets }: Options,
): Promise<Secrets | null> {
  if (isSecretSet(manifest) || secrets === null || withoutSecrets) return null;
  if (passphrase === undefined) throw new AppError("conflict", { reason: "backup_needs_passphrase" });
  return openSecrets(secrets, passphrase);
}

function isSecretSet({ secret }: Manifest): boolean {
  const { lasting, all } = keyIds();
  return lasting === secret.lasting && secret.all.every((id) => all.includes(id));
}

/** An empty installation has encrypted nothing yet, so the backup's secret replaces its own, if that is in a file. */
function saveSecrets(manifest: Manifest, secrets: Secrets | null): SecretReport {
  const id = manifest.secret.lasting;
  if (!secrets) return { state: isSecretSet(manifest) ? "set" : "needed", id };
  if (process.env.CANDOR_SECRET || process.env.CANDOR_OLD_SECRETS) {
    const [current, ...old] = secrets;
    return {
      state: "needed",
      id,
      settings: { CANDOR_SECRET: current, CANDOR_OLD_SECRETS: old.length > 0 ? JSON.stringify(old) : "" },
    };
  }
  const place = path.join(env().DATA_DIR, "secret");
  writeFileSync(`${place}.part`, `${secrets.join("\n")}\n`, { mode: 0o600 });
  chmodSync(`${place}.part`, 0o600);
  renameSync(`${place}.part`, place);
  return { state: "restored", id: keyIdOf(secrets.at(-1)!) };
}

async function load(
  db: pg.Client,
  archive: CheckedArchive<Manifest>,
  migrations: { name: string; sql: string }[],
  onProgress: Options["onProgress"],
): Promise<void> {
  const { manifest } = archive;
  let [rows, files] = [0, 0];
  const writes = new FileWrites();
  const entries = archive.entries();
  await db.query("begin");
  try {
    await dropAll(db);
    for (const { sql } of migrations) await db.query(sql);
    await refuseOtherTables(db, manifest);
    const restoreConstraints = await suspendConstraints(db, manifest.tables);
    for (let next = await entries.next(); !next.done; ) {
      const { name, bytes } = next.value;
      const table = manifest.tables.find((each) => name.startsWith(`tables/${each.name}/`));
      if (table) {
        next = await loadRows(db, table, copyIn(table), next.value, entries);
        rows += table.rows;
        onProgress?.({ rows, files });
        continue;
      }
      if (name.startsWith("tables/")) throw damaged(name);
      if (name.startsWith("files/")) {
        await writes.add(name.slice("files/".length), bytes);
        files += 1;
        if (files % 100 === 0) onProgress?.({ rows, files });
      }
      next = await entries.next();
    }
    await writes.finish();
    const loaded = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    if (rows !== loaded || files !== manifest.files.count) throw damaged("manifest.json");
    await setSequences(db, manifest.sequences);
    await restoreConstraints();
    await db.query("analyze");
    await db.query("commit");
  } catch (error) {
    await writes.settle();
    await db.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  } finally {
    await entries.return(undefined);
  }
}

/** The migrations must have created exactly the tables and columns of the backup. */
async function refuseOtherTables(db: pg.Client, { tables }: Manifest): Promise<void> {
  const describeTables = (list: readonly { name: string; columns: string[] }[]) =>
    list.map(({ name, columns }) => `${name}: ${[...columns].sort().join(", ")}`).sort();
  const [actual, expected] = [describeTables(await selectTables(db)), describeTables(tables)];
  const other = expected.find((line) => !actual.includes(line)) ?? actual.find((line) => !expected.includes(line));
  if (other)
    throw new AppError("conflict", { reason: "backup_tables_differ", params: { table: other.split(":")[0] ?? other } });
}
