import pg from "pg";
import { checkSettings } from "@/lib/accounts/stores/check-settings";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import { timeZoneIssues } from "@/lib/accounts/stores/time-zone-issues";
import { type CheckedArchive, openArchive, storeFormat } from "@/lib/backup/archive";
import { FileWrites, photoKeys } from "@/lib/backup/files";
import type { StoreManifest } from "@/lib/backup/manifest";
import { damaged, loadRows } from "@/lib/backup/rows";
import { type LostHashes, remakeHashes } from "@/lib/backup/store/known-people";
import { knownPeople } from "@/lib/backup/store/tables";
import { type Difference, verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { publicSettings } from "@/lib/honesty/public-settings";
import { recordFact } from "@/lib/honesty/record-fact";
import { templateIssues } from "@/lib/invitations/template-issues";
import { hasErasuresSince, recordLastImport } from "@/lib/orders/erased-hashes";
import { databaseCode, transaction } from "@/lib/platform/db/pool";
import { env, keyIds } from "@/lib/platform/env";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { Reason } from "@/lib/platform/issue";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { removeUnusedPhotos } from "@/lib/reviews/uploads/remove-unused-photos";
import { uploadedKey } from "@/lib/reviews/uploads/values";
import { connect, selectMigrations, selectTables } from "../sql";
import {
  type ArchivedTable,
  accountExists,
  archivedTables,
  clientExists,
  copyToTemporary,
  createTemporary,
  giveUpUnsent,
  hasForeignImages,
  hasForeignRows,
  hasInvalidKeys,
  hasOrphanAnswers,
  indexTemporary,
  insertArchived,
  insertQuestions,
  isArchivedLogo,
  isNewAuditEntrySql,
  lockImport,
  preferIndexes,
  selectArchivedClient,
  selectArchivedPhotos,
  unlockImport,
} from "./sql";

export type StoreImportReport = {
  file: string;
  client: string;
  account: string;
  created_at: string;
  rows: number;
  files: number;
  /** files that were missing when the archive was made */
  missing: string[];
  /** the daily limit of invitations in the archive, and whether the import set it to 0 */
  send_limit: number;
  paused: boolean;
  /** invitations that weren't sent when the archive was made, and aren't sent anymore */
  unsent: number;
  /** null: the hashes of people are those of this installation; else those that had to be left out */
  lost: LostHashes | null;
  /** counters that the recount found wrong: none */
  differences: Difference[];
  dry_run: boolean;
};

type Options = {
  /** null creates one */
  account?: string | null;
  /** continue to send invitations, instead of setting the daily limit to 0 */
  keepSendLimit?: boolean;
  /** import although some people can't be recognized any more */
  acceptLoss?: boolean;
  dryRun?: boolean;
  onProgress?: (progress: { rows: number; files: number }) => void;
};

/** A day after an import began, photos that it wrote and that have no row are deleted. */
const PHOTO_CHECK_SECONDS = 86_400;
const KEYS_PER_EVENT = 500;

/**
 * Creates a store from an archive, in one transaction, while the service runs. Sends nothing and writes no events about
 * its rows. A dry run does everything except writing photos, and rolls back. An import that dies leaves nothing in the
 * database; a job deletes its photos. Throws `invalid_parameter` for a file that isn't a valid archive, and `conflict`
 * if it doesn't fit this installation: the store exists, another release, hashes of another secret.
 */
export async function importStore(file: string, options: Options = {}): Promise<StoreImportReport> {
  const archive = await openArchive(storeFormat, file);
  try {
    const { client } = archive.manifest;
    const written = new Set<string>();
    const db = await connect();
    try {
      if (!(await lockImport(db, client))) throw conflict("store_import_running", { id: client });
      return await importLocked(db, file, archive, written, options);
    } catch (error) {
      if (written.size > 0)
        await unlockImport(db, client)
          .then(() => removeUnusedPhotos(client, [...written]))
          .catch((cause) => log.warn({ err: cause }, "photos of the import are deleted by a job a day later"));
      throw error;
    } finally {
      await db.end();
    }
  } finally {
    await archive.close();
  }
}

async function importLocked(
  db: pg.Client,
  file: string,
  archive: CheckedArchive<StoreManifest>,
  written: Set<string>,
  { account: givenAccount = null, keepSendLimit = false, acceptLoss = false, dryRun = false, onProgress }: Options,
): Promise<StoreImportReport> {
  const { client, created_at, secret, migration } = archive.manifest;
  const ours = (await selectMigrations(db)).at(-1);
  if (ours?.name !== migration.name || ours.checksum !== migration.checksum)
    throw conflict("store_of_other_release", { theirs: migration.name, ours: ours?.name ?? "" });
  const tables = archivedTables(await selectTables(db));
  requireSameTables(archive.manifest, tables);
  if (await clientExists(db, client)) throw conflict("client_exists", { id: client });
  if (givenAccount !== null && !(await accountExists(db, givenAccount)))
    throw new AppError("not_found", { reason: "account_not_found", params: { id: givenAccount } });

  await db.query("begin");
  try {
    await loadTables(db, archive, (rows) => onProgress?.({ rows, files: 0 }));
    await checkRows(db, client, tables);
    const settings = await checkedSettings(db);
    const lost =
      secret === keyIds().lasting ? null : await withRowErrors(knownPeople.name, () => remakeHashes(db, client));
    if (lost && !acceptLoss && lost.suppressions + lost.cooldowns + lost.erasures > 0)
      throw conflict("store_hashes_lost", {
        id: secret,
        suppressions: lost.suppressions,
        cooldowns: lost.cooldowns,
        erasures: lost.erasures,
      });
    const unsent = await giveUpUnsent(db);
    const sendLimit = settings.send_limit;
    const logo = await movedLogo(db, settings.config.logo_url);
    const paused = !keepSendLimit && sendLimit > 0;
    const account = givenAccount ?? newId("acc");
    if (givenAccount === null) await db.query("insert into accounts (id, name) values ($1, $2)", [account, client]);
    await preferIndexes(db, true);
    const rows = await insertTables(db, tables, { account, paused, logo });
    // A system of the store that is connected here may send orders of people erased before, like one connected there.
    if (await hasErasuresSince(db, client, new Date(0))) await recordLastImport(db, client, new Date(created_at));
    await preferIndexes(db, false);
    const imported = paused ? await readClient(db, client) : null;
    if (imported) await recordFact(db, client, "settings", { settings: publicSettings(imported) });
    const differences = await verifySummaries(client, db);
    const report = {
      file,
      client,
      account,
      created_at,
      rows,
      send_limit: sendLimit,
      paused,
      unsent,
      lost,
      differences,
    };
    const { missing } = archive.manifest.files;
    const files = await importPhotos(db, archive, dryRun ? null : written, (count) =>
      onProgress?.({ rows, files: count }),
    );
    await db.query(dryRun ? "rollback" : "commit");
    return { ...report, files, missing, dry_run: dryRun };
  } catch (error) {
    await db.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

/** The archive must have exactly the tables and columns that this release exports. */
function requireSameTables(manifest: StoreManifest, tables: readonly ArchivedTable[]): void {
  const describe = (list: readonly { name: string; columns: string[] }[]) =>
    list.map(({ name, columns }) => `${name}: ${columns.join(", ")}`);
  const [theirs, expected] = [describe(manifest.tables), describe([...tables, knownPeople])];
  const other = theirs.find((line) => !expected.includes(line)) ?? expected.find((line) => !theirs.includes(line));
  if (other !== undefined || theirs.length !== expected.length)
    throw invalid("store_tables_differ", { table: other?.split(":")[0] ?? "" });
}

/** Loads all tables into temporary ones. */
async function loadTables(
  db: pg.Client,
  archive: CheckedArchive<StoreManifest>,
  onProgress: (rows: number) => void,
): Promise<void> {
  const { tables } = archive.manifest;
  for (const table of tables) await createTemporary(db, table);
  const loaded = new Set<string>();
  let rows = 0;
  const entries = archive.entries();
  try {
    for (let next = await entries.next(); !next.done; ) {
      const { name } = next.value;
      const table = tables.find((each) => name.startsWith(`tables/${each.name}/`));
      if (!table) {
        if (name.startsWith("tables/")) throw damaged(name);
        next = await entries.next();
        continue;
      }
      if (loaded.has(table.name)) throw damaged(table.name);
      loaded.add(table.name);
      const first = next.value;
      next = await withRowErrors(table.name, () => loadRows(db, table, copyToTemporary(table), first, entries));
      rows += table.rows;
      onProgress(rows);
    }
  } finally {
    await entries.return(undefined);
  }
  for (const { name } of tables) {
    if (!loaded.has(name)) throw damaged(name);
    await indexTemporary(db, name);
  }
}

/** Every row must be one of this store, and show only its photos. */
async function checkRows(db: pg.Client, client: string, tables: readonly ArchivedTable[]): Promise<void> {
  for (const { name } of tables)
    if (await hasForeignRows(db, name, client)) throw invalid("store_row_foreign", { table: name });
  for (const table of ["reviews", "seller_reviews", "questions"])
    if (await withRowErrors(table, () => hasForeignImages(db, table))) throw invalid("store_images_foreign", { table });
  if (await hasInvalidKeys(db)) throw invalid("store_row_invalid", { table: "uploads", message: "key" });
  if (await hasOrphanAnswers(db)) throw invalid("store_row_invalid", { table: "answers", message: "question_id" });
}

/** The store's settings. Throws if the portal and the API wouldn't accept them. */
async function checkedSettings(db: pg.Client): Promise<ClientRow & ClientSettings> {
  const row = await selectArchivedClient(db);
  if (!row) throw damaged("clients");
  const fields = Object.keys(ClientSettings.shape);
  const given = Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)));
  try {
    const settings = { ...row, ...checkSettings(given) } as ClientRow & ClientSettings;
    // A template that was fast enough elsewhere may take longer here.
    const templates = (await templateIssues(settings)).filter(({ reason }) => reason !== "template_too_slow");
    const zones = await timeZoneIssues(db, settings.config.time_zone);
    throwIssues([...settingIssues(settings, new Set(fields)), ...templates, ...zones]);
    return settings;
  } catch (cause) {
    if (cause instanceof AppError) throw invalid("store_settings_invalid", { message: cause.message }, cause);
    throw cause;
  }
}

/** The URL on this installation of a logo that is one of the archive's photos; null for any other URL. */
async function movedLogo(db: pg.Client, url: string | null | undefined): Promise<string | null> {
  const key = uploadedKey(url);
  if (!url || !key || !(await isArchivedLogo(db, key))) return null;
  return env().PUBLIC_URL + url.slice(url.indexOf(`/images/${key}/`));
}

/** Inserts all rows. Returns how many. */
async function insertTables(
  db: pg.Client,
  tables: readonly ArchivedTable[],
  { account, paused, logo }: { account: string; paused: boolean; logo: string | null },
): Promise<number> {
  const accountId = pg.escapeLiteral(account);
  const clientValues = {
    account_id: accountId,
    // Caches of what is displayed compare it: an earlier store with this id had a lower one.
    version: "extract(epoch from now() - timestamptz '2020-01-01')::int",
    ...(paused && { send_limit: "0" }),
    ...(logo !== null && { config: `jsonb_set(a.config, '{logo_url}', to_jsonb(${pg.escapeLiteral(logo)}::text))` }),
  };
  const answers = tables.find(({ name }) => name === "answers")!;
  let rows = 0;
  for (const table of tables) {
    if (table.name === "answers") continue;
    rows += await withRowErrors(table.name, () => {
      if (table.name === "questions") return insertQuestions(db, table, answers);
      if (table.name === "clients") return insertArchived(db, table, { values: clientValues });
      if (table.name === "audit_entries")
        return insertArchived(db, table, { values: { account_id: accountId }, where: isNewAuditEntrySql });
      return insertArchived(db, table);
    });
  }
  return rows;
}

/** Stores the photos, unless `written` is null; it gets their keys. Returns how many files there are. */
async function importPhotos(
  db: pg.Client,
  archive: CheckedArchive<StoreManifest>,
  written: Set<string> | null,
  onProgress: (count: number) => void,
): Promise<number> {
  const { client, files } = archive.manifest;
  const photos = await selectArchivedPhotos(db);
  const folders = new Map(photos.map(({ key }) => [folderOf(key), key]));
  const open = new Set(photos.flatMap(photoKeys));
  if (written && files.count > 0)
    await announcePhotos(
      client,
      photos.map(({ key }) => key),
    );
  const writes = new FileWrites();
  let count = 0;
  try {
    for await (const { name, bytes } of archive.entries()) {
      if (!name.startsWith("files/")) continue;
      const key = name.slice("files/".length);
      if (!open.delete(key)) throw invalid("store_file_foreign", { name: key });
      count += 1;
      if (!written) continue;
      written.add(folders.get(key.slice(0, key.lastIndexOf("/")))!);
      await writes.add(key, bytes);
      if (count % 100 === 0) onProgress(count);
    }
    await writes.finish();
  } finally {
    await writes.settle();
  }
  if (count !== files.count) throw damaged("manifest.json");
  return count;
}

/** Commits, before any photo is written, that those without a row are to be deleted. */
async function announcePhotos(client: string, keys: string[]): Promise<void> {
  const events = Array.from({ length: Math.ceil(keys.length / KEYS_PER_EVENT) }, (_, index) => ({
    name: "photos/imported" as const,
    data: { client_id: client, keys: keys.slice(index * KEYS_PER_EVENT, (index + 1) * KEYS_PER_EVENT) },
    delay_seconds: PHOTO_CHECK_SECONDS,
  }));
  await transaction((db) => enqueue(db, events));
}

/** Describes an error that is due to rows of the archive. */
async function withRowErrors<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { constraint, message } = cause as pg.DatabaseError;
    const code = databaseCode(cause);
    if (code === "23505" && constraint && takenConstraints.includes(constraint))
      throw conflict("store_row_taken", { constraint }, cause);
    if (/^(?:22|23)/.test(code)) throw invalid("store_row_invalid", { table, message }, cause);
    throw cause;
  }
}

/** Unique keys across all stores. */
const takenConstraints = [
  "clients_pkey", // created since the import began
  "clients_public_key_key",
  "reviews_feedback_token_key",
  "seller_reviews_feedback_token_key",
  "questions_feedback_token_key",
  "uploads_key_key",
];

const conflict = (reason: Reason, params: Record<string, string | number>, cause?: unknown): AppError =>
  new AppError("conflict", { reason, params, cause });
const invalid = (reason: Reason, params: Record<string, string | number>, cause?: unknown): AppError =>
  new AppError("invalid_parameter", { reason, params, cause });
