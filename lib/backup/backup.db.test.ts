import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { env, keyIds } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { seal } from "@/lib/platform/secrets/seal";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { migrations } from "@/lib/tools/launch/migrate.mjs";
import { joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { applyMigrations } from "@/lib/tools/test/apply-migrations";
import { oldMigrations } from "@/lib/tools/test/before-baseline";
import { clusterOf } from "@/lib/tools/test/cluster";
import { aClient, anOrder, aUser, rowsOf, someProducts, someQuestions, someReviews } from "@/lib/tools/test/factories";
import {
  aDatabase,
  addressOf,
  admin,
  anInstallation,
  cluster,
  emptyInstallationAddress,
  filesIn,
  inDatabase,
  type Packed,
  provideInstallations,
  runCommand,
  runProcess,
  runRejected,
  unpack,
} from "@/lib/tools/test/installations";
import { photograph } from "@/lib/tools/test/pictures";
import { startAdmin } from "@/lib/tools/test/program";
import { S3Fake } from "@/lib/tools/test/s3-fake";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { ArchiveWriter, backupFormat, openArchive } from "./archive";
import type { Manifest } from "./manifest";
import { restore } from "./restore";

// Backups of this worker's database, restored into databases whose owner has no other privileges.

// Every test runs the command several times, some in its own process.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

provideInstallations();

const PASSPHRASE = "correct horse battery";
/** Every row of every table, and the whole schema. */
const contents = (url: string) =>
  inDatabase(url, async (db) => {
    const all: Record<string, unknown> = {};
    const tables = await db.query(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
    const hashes = tables.rows.map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as rows, md5(string_agg(t::text, '|' order by t::text)) as hash from "${name}" t`,
    );
    for (const { name, rows, hash } of (await db.query(hashes.join(" union all "))).rows) all[name] = { rows, hash };
    for (const [what, text] of Object.entries({
      columns: `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, is_identity, collation_name from information_schema.columns where table_schema = 'public' order by 1, 3`,
      constraints: `select conrelid::regclass::text as t, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
      indexes: `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
      triggers: `select tgrelid::regclass::text as t, tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1, 2`,
      routines: `select oid::regprocedure::text as p, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
      views: `select viewname, definition from pg_views where schemaname = 'public' order by 1`,
      sequences: `select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
    }))
      all[what] = (await db.query(text)).rows;
    return all;
  });

const photo = async () => new Blob([new Uint8Array(await photograph(90, 70).jpeg().toBuffer())]);
/** Their files are more than are read or written concurrently. */
const PHOTOS = 3;
const FILES = 4 * PHOTOS;

/** A store with some of everything, including pending work: emails, webhooks, events, runs. */
async function createStoreWithEverything() {
  const { id } = await aClient();
  await aUser("admin", { clients: [id] });
  await someProducts(id, [{ id: "lamp" }, { id: "desk", name: "Schreibtisch „Eiche“\t\\N 😀" }]);
  for (let n = 0; n < 20; n += 1) await anOrder(id, { items: [{ id: "lamp", name: "Lamp" }] });
  await someReviews(id, [
    ...Array.from({ length: 200 }, (_, n) => ({
      accepted: true,
      score: 1 + (n % 5),
      product_id: "lamp",
      family_id: "lamp",
    })),
    { score: 2 },
  ]);
  await someQuestions(id, [{ accepted: true }]);
  const uploads = [];
  for (let n = 0; n < PHOTOS; n += 1) uploads.push(await storeUpload({ id }, await photo()));
  await rowsOf(
    `insert into webhooks (client_id, id, url, sealed_url, secrets, events) values ($1, 'wh_1', 'https://shop.example', $2, $2, '{review.accepted}')`,
    [id, seal("webhooks/1", "https://shop.example/secret-path")],
  );
  await rowsOf(
    `insert into job_runs (id, function_id, event_id, event, status, wake_at) values
       ('run_a', 'f', 'a', '{"name": "x", "data": {}}', 'queued', null),
       ('run_b', 'f', 'b', '{"name": "x", "data": {}}', 'waiting', now() + interval '1 day'),
       ('run_c', 'f', 'c', '{"name": "x", "data": {}}', 'done', null)`,
  );
  await rowsOf("update job_runs set ended_at = now() where id = 'run_c'");
  await rowsOf("insert into outbox (client_id, name, data) values ($1, 'x/happened', '{}')", [id]);
  await rowsOf("insert into lasting_secret (key_id) values ($1)", [keyIds().lasting]);
  return { id, uploads };
}

let store: Awaited<ReturnType<typeof createStoreWithEverything>>;
let folder: string;
let file: string;
beforeAll(async () => {
  store = await createStoreWithEverything();
  folder = temporaryFolder("backups");
  file = path.join(folder, "candor.backup");
  await runProcess(["backup", file, "--secrets"], { BACKUP_PASSPHRASE: PASSPHRASE });
});

describe("a backup", () => {
  it("restores everything into an empty database of an ordinary owner: rows, schema, counters, files", async () => {
    const to = await anInstallation();
    const report = await runProcess(["restore", file], to);
    expect(report).toMatchObject({ files: FILES, missing: [], differences: [], secret: { state: "set" } });
    expect(report.pending).toMatchObject({ runs: 2, events: 1 });
    expect(await contents(to.DATABASE_URL)).toEqual(await contents(cluster.href));
    expect(filesIn(path.join(to.DATA_DIR, "images"))).toEqual(filesIn(path.join(env().DATA_DIR, "images")));
    expect(existsSync(path.join(to.DATA_DIR, "restore.json"))).toBe(false);
    await inDatabase(to.DATABASE_URL, async (db) => {
      // Pending runs are queued again; completed ones aren't.
      const { rows } = await db.query(
        "select data->>'runId' as id, start_after > now() as later from pgboss.job order by 1",
      );
      expect(rows).toEqual([
        { id: "run_a", later: false },
        { id: "run_b", later: true },
      ]);
      // Triggers and sequences continue where they were.
      await db.query("delete from reviews where client_id = $1 and product_id = 'lamp' and score = 5", [store.id]);
      const counted = await db.query("select count from product_summaries where product_id = 'lamp'");
      expect(counted.rows).toEqual([{ count: 160 }]);
      await db.query("insert into audit_entries (client_id, actor_kind, action) values ($1, 'system', 'x')", [
        store.id,
      ]);
    });
    expect(await runRejected(["restore", file], to)).toMatch(/^This installation isn’t empty \(rows in accounts, /);
    // The restored installation can be backed up and restored again.
    const second = path.join(folder, "second.backup");
    expect(await runCommand(["backup", second], to)).toMatchObject({ secrets: false });
    const again = await anInstallation();
    await runCommand(["restore", second], again);
    expect(await contents(again.DATABASE_URL)).toEqual(await contents(to.DATABASE_URL));
  });

  it("is a tar readable by its owner only, with a manifest of its content", async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const names = (await unpack(file)).map(({ name }) => name);
    expect(names[0]).toBe("CANDOR-BACKUP");
    expect(names).toContain("tables/reviews/000001.gz");
    expect(names).toContain(`files/${folderOf((await keysOf())[0])}/original.jpg`);
    expect(names.slice(-3)).toEqual(["secrets.json", "manifest.json", "SHA256"]);
    const found = await runCommand(["restore", file, "--dry-run"]);
    const [{ n }] = await rowsOf("select count(*)::int as n from reviews");
    expect(found).toMatchObject({ files: FILES, secrets: true, last_migration: expect.stringMatching(/^\d{14}_/) });
    expect(found.rows).toBeGreaterThan(n);
    expect(readFileSync(file).includes(env().CANDOR_SECRET)).toBe(false);
  });

  /** Runs `work` while a photo's file is missing. A backup waits for it: it may be that of an upload in progress. */
  async function withMissingFile(work: (missing: string) => Promise<unknown>): Promise<void> {
    const [key] = await keysOf();
    const missing = `${folderOf(key)}/large.jpg`;
    const deletedFile = path.join(env().DATA_DIR, "images", missing);
    const bytes = readFileSync(deletedFile);
    rmSync(deletedFile);
    try {
      await work(missing);
    } finally {
      writeFileSync(deletedFile, bytes);
    }
  }

  it("reports photos missing from the file store", () =>
    withMissingFile(async (missing) => {
      const report = await runCommand(["backup", path.join(folder, "lacking.backup")]);
      expect(report).toMatchObject({ files: FILES - 1, missing: [missing], deleted: 0 });
    }));

  it("leaves no file under its name if it's killed, and the next one is complete", async () => {
    const target = path.join(folder, "killed.backup");
    await withMissingFile(async () => {
      const { child } = startAdmin(["backup", target]);
      await once(child.stderr, "data");
      child.kill("SIGKILL");
      await once(child, "close");
    });
    expect(existsSync(target)).toBe(false);
    // Rejected until PostgreSQL notices that the other one's process is gone, and releases its lock.
    await vi.waitFor(() => runCommand(["backup", target]), { timeout: 20_000, interval: 200 });
    expect(readdirSync(folder).filter((name) => name.startsWith("killed"))).toEqual(["killed.backup"]);
    await runCommand(["restore", target, "--dry-run"]);
  });

  it("moves files from a folder to a bucket and back", async () => {
    const bucket = new S3Fake("candor", "AKIDTEST", "a secret");
    const S3 = {
      S3_BUCKET: "candor",
      S3_REGION: "eu-north-1",
      S3_ENDPOINT: await bucket.listen(),
      S3_ACCESS_KEY_ID: "AKIDTEST",
      S3_SECRET_ACCESS_KEY: "a secret",
    };
    try {
      const there = await anInstallation(S3);
      await runCommand(["restore", file], there);
      expect(bucket.objects.size).toBe(FILES);
      const back = path.join(folder, "of-a-bucket.backup");
      bucket.failures.push("hang up", { status: 503, code: "SlowDown" });
      expect(await runCommand(["backup", back], there)).toMatchObject({ files: FILES, missing: [] });
      const here = await anInstallation();
      await runCommand(["restore", back], here);
      expect(filesIn(path.join(here.DATA_DIR, "images"))).toEqual(filesIn(path.join(env().DATA_DIR, "images")));
    } finally {
      await bucket.close();
    }
  });
});

describe.runIf(existsSync(path.join(root, "node_modules/postgres-15")))("another major version of PostgreSQL", () => {
  it("restores the same file and backs up the same content", async () => {
    const { dataDir, ...programs } = clusterOf("PostgreSQL 15");
    const other = await joinCluster(dataDir, { durable: false, ...programs });
    const name = `run_restore_${process.pid}`;
    const run = (text: string) => inDatabase(other.url("postgres"), (db) => db.query(text));
    try {
      await run(`create database ${name}`);
      const to = { DATABASE_URL: other.url(name), DATA_DIR: temporaryFolder("restored") };
      await inDatabase(to.DATABASE_URL, (db) => applyMigrations(db, migrations()));
      const versionAt = (url: string) =>
        inDatabase(url, async (db) => (await db.query("select current_setting('server_version') as v")).rows[0].v);
      expect(await versionAt(to.DATABASE_URL)).toMatch(/^15\./);
      expect(await versionAt(cluster.href)).not.toMatch(/^15\./);
      expect(await runCommand(["restore", file], to)).toMatchObject({ files: FILES, differences: [] });
      const again = path.join(folder, "from-15.backup");
      await runCommand(["backup", again], to);
      const back = await anInstallation();
      await runCommand(["restore", again], back);
      expect(await contents(back.DATABASE_URL)).toEqual(await contents(cluster.href));
      expect(filesIn(path.join(back.DATA_DIR, "images"))).toEqual(filesIn(path.join(env().DATA_DIR, "images")));
    } finally {
      await run(`drop database if exists ${name} with (force)`);
      await other.release();
    }
  });
});

describe("the secrets of a backup", () => {
  it("open only with the passphrase, which is required if they aren't set", async () => {
    const other = { CANDOR_SECRET: "quite another secret for this test only" };
    const to = await anInstallation(other);
    const before = await contents(to.DATABASE_URL);
    expect(await runRejected(["restore", file], to)).toMatch(
      /^This backup includes its secrets, which aren’t set on this installation\. /,
    );
    expect(await runRejected(["restore", file, "--passphrase-stdin"], to, "a wrong passphrase\n")).toBe(
      "The passphrase can’t decrypt the secrets in this backup.",
    );
    expect(await contents(to.DATABASE_URL)).toEqual(before);
    expect(readdirSync(to.DATA_DIR)).toEqual([]);
    const { secret } = await runCommand(["restore", file, "--passphrase-stdin"], to, `${PASSPHRASE}\n`);
    expect(secret).toMatchObject({
      state: "needed",
      settings: { CANDOR_SECRET: env().CANDOR_SECRET, CANDOR_OLD_SECRETS: "" },
    });
    // Until it's set, commands report it.
    expect(await runRejected(["summaries", "verify"], to)).toContain(secret.id);
    expect((await admin(["summaries", "verify"], { ...to, CANDOR_SECRET: secret.settings.CANDOR_SECRET })).status).toBe(
      0,
    );
  });

  it("can be omitted: then the report names the one to set", async () => {
    const to = await anInstallation({ CANDOR_SECRET: "quite another secret for this test only" });
    const report = await runCommand(["restore", file, "--without-secrets"], to);
    expect(report.secret).toEqual({ state: "needed", id: expect.stringMatching(/^[0-9a-f]{8}$/) });
  });

  it("need a passphrase of sufficient length", async () => {
    const target = path.join(folder, "short.backup");
    expect(await runRejected(["backup", target, "--secrets"], { BACKUP_PASSPHRASE: "short" })).toBe(
      "The passphrase must be at least 12 characters long.",
    );
    expect(await admin(["backup", target, "--secrets"])).toMatchObject({ status: 2, out: "" });
    expect(existsSync(target)).toBe(false);
  });
});

describe("a restore", () => {
  it("that is killed leaves a marker, and can be run again", async () => {
    const to = await anInstallation();
    const { child } = startAdmin(["restore", file], { env: to });
    await once(child.stderr, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await runRejected(["account", "create", "--name", "Too soon"], to)).toMatch(
      /^A restore into this installation did not finish\. Run it again: /,
    );
    const start = spawn(process.execPath, ["lib/tools/launch/start.mjs"], {
      cwd: root,
      env: { ...process.env, ...to },
    });
    const [stderr, [code]] = await Promise.all([text(start.stderr), once(start, "close")]);
    expect({ said: stderr, code }).toEqual({ said: expect.stringMatching(/^A restore into this .*\n$/), code: 1 });
    await runCommand(["restore", file], to);
    expect(await contents(to.DATABASE_URL)).toEqual(await contents(cluster.href));
    await runCommand(["account", "create", "--name", "Now"], to);
  });

  it("completes one that was killed after the rows were committed", async () => {
    const to = await anInstallation();
    await runCommand(["restore", file], to);
    const digest = (await unpack(file)).at(-1)?.bytes.toString();
    writeFileSync(path.join(to.DATA_DIR, "restore.json"), JSON.stringify({ digest }));
    await inDatabase(to.DATABASE_URL, (db) => db.query("drop schema pgboss cascade"));
    const other = path.join(folder, "of-another-moment.backup");
    await runCommand(["backup", other]);
    expect(await runRejected(["restore", other], to)).toMatch(/^This installation isn’t empty/);
    expect(await runCommand(["restore", file], to)).toMatchObject({ differences: [] });
    expect(existsSync(path.join(to.DATA_DIR, "restore.json"))).toBe(false);
    await inDatabase(to.DATABASE_URL, async (db) =>
      expect((await db.query("select from pgboss.job")).rowCount).toBe(2),
    );
  });

  it("is rejected while a server is running", async () => {
    const to = await anInstallation();
    const running = new pg.Client({ connectionString: to.DATABASE_URL, application_name: "candor" });
    await running.connect();
    try {
      expect(await runRejected(["restore", file], to)).toBe("Candor is running on this database. Stop it first.");
    } finally {
      await running.end();
    }
  });

  it("accepts a backup of the last release before the baseline, and migrates it", async () => {
    const source = addressOf(await aDatabase());
    await inDatabase(source, async (db) => {
      await applyMigrations(db, oldMigrations);
      await db.query("insert into accounts (id, name) values ('acc', 'Old')");
    });
    const old = path.join(folder, "old.backup");
    await runCommand(["backup", old], { DATABASE_URL: source });
    const to = await anInstallation();
    await runCommand(["restore", old], to);
    const now = await contents(to.DATABASE_URL);
    expect(now.accounts).toMatchObject({ rows: 1 });
    const { columns, constraints, indexes, triggers, routines, views } = await contents(emptyInstallationAddress());
    expect(now).toMatchObject({ columns, constraints, indexes, triggers, routines, views });
    expect(now._prisma_migrations).toMatchObject({ rows: migrations().length });
  });

  /** Tries to restore invalid bytes: rejected with one line, nothing changed. */
  async function restoreInvalid(bytes: Buffer): Promise<string> {
    const bad = path.join(folder, "bad.backup");
    writeFileSync(bad, bytes);
    const line = await runRejected(["restore", bad], target);
    expect(await contents(target.DATABASE_URL)).toEqual(initialHash);
    expect(filesIn(target.DATA_DIR)).toEqual({});
    return line;
  }
  /** The error for other invalid bytes, without the command: each is found before the installation is touched. */
  async function restoreError(bytes: Buffer): Promise<string> {
    const bad = path.join(folder, "bad.backup");
    writeFileSync(bad, bytes);
    const filesBefore = filesIn(env().DATA_DIR);
    const error = await restore(bad).catch((thrown: unknown) => thrown);
    expect(await contents(cluster.href)).toEqual(sourceHash);
    expect(filesIn(env().DATA_DIR)).toEqual(filesBefore);
    expect(error).toBeInstanceOf(AppError);
    return (error as AppError).message;
  }
  let target: Awaited<ReturnType<typeof anInstallation>>;
  let initialHash: unknown;
  let sourceHash: unknown;
  beforeAll(async () => {
    target = await anInstallation();
    initialHash = await contents(target.DATABASE_URL);
    sourceHash = await contents(cluster.href);
  });

  it("rejects a file that is truncated, altered anywhere, or not a backup", async () => {
    const valid = readFileSync(file);
    const bad = path.join(folder, "bad.backup");
    const places = Array.from({ length: 25 }, (_, n) => Math.floor((valid.length * n) / 25));
    for (const place of [
      ...places,
      ...[1, 512, 1_024, 1_025, 1_100, 1_536, 2_047, 2_048].map((n) => valid.length - n),
    ]) {
      const altered = Buffer.from(valid);
      altered[place] = (altered[place] as number) ^ 1;
      for (const bytes of [valid.subarray(0, place), altered]) {
        writeFileSync(bad, bytes);
        await expect(openArchive(backupFormat, bad)).rejects.toThrow(/isn’t a Candor backup|is damaged or incomplete/);
      }
    }
    expect(await restoreInvalid(valid.subarray(0, valid.length - 1))).toMatch(/is damaged or incomplete/);
    expect(await restoreError(Buffer.concat([valid, Buffer.alloc(512)]))).toMatch(/is damaged or incomplete/);
    expect(await restoreError(gzipSync("a dump of something else"))).toMatch(/isn’t a Candor backup/);
    expect(await runRejected(["restore", path.join(folder, "nowhere")], target)).toMatch(/nowhere doesn’t exist\.$/);
  });

  /** The backup with a change and a correct checksum. */
  async function crafted(change: (entries: Packed[]) => Packed[]): Promise<Buffer> {
    const forged = path.join(folder, "forged.backup");
    const writer = await ArchiveWriter.create(backupFormat, forged);
    const entries = change((await unpack(file)).slice(1, -1));
    const manifest = entries.find(({ name }) => name === "manifest.json");
    for (const entry of entries) if (entry !== manifest) await writer.add(entry.name, entry.bytes);
    await writer.finish(JSON.parse(manifest?.bytes.toString() ?? "null"));
    return readFileSync(forged);
  }
  const inManifest = (change: (manifest: Manifest) => void) => (entries: Packed[]) =>
    entries.map((entry) => {
      if (entry.name !== "manifest.json") return entry;
      const manifest = JSON.parse(entry.bytes.toString());
      change(manifest);
      return { ...entry, bytes: Buffer.from(JSON.stringify(manifest)) };
    });

  it("rejects a crafted file with a correct checksum", async () => {
    const extra =
      (name: string, bytes = Buffer.from("x")) =>
      (entries: Packed[]) => [...entries, { name, bytes }];
    const foreign = /contains an entry that doesn’t belong there/;
    expect(await restoreInvalid(await crafted(extra("files/../../../../escaped")))).toMatch(foreign);
    for (const name of ["/etc/escaped", "files/ab/../../x/original.jpg", "tables/../x/000001.gz", "other"])
      expect(await restoreError(await crafted(extra(name)))).toMatch(foreign);
    const unknown = inManifest(({ migrations }) =>
      migrations.push({ name: "29990101000000_later", checksum: "0".repeat(64) }),
    );
    expect(await restoreInvalid(await crafted(unknown))).toMatch(/doesn’t have the migration 29990101000000_later/);
    const otherSql = inManifest(({ migrations }) => (migrations[0]!.checksum = "0".repeat(64)));
    expect(await restoreError(await crafted(otherSql))).toMatch(/has a different migration/);
    const early = inManifest((manifest) => {
      manifest.migrations = oldMigrations.slice(0, -1).map(({ name, checksum }) => ({ name, checksum }));
    });
    expect(await restoreError(await crafted(early))).toMatch(/by an early release.*with the last 0\.1 release/);
    const otherFormat = inManifest((manifest) => Object.assign(manifest, { format: 2 }));
    expect(await restoreError(await crafted(otherFormat))).toMatch(/This release can’t read/);
  });

  it("rolls back everything if the rows don't match the manifest", async () => {
    const rolledBack = async (change: (entries: Packed[]) => Packed[]) => {
      const to = await anInstallation();
      const bad = path.join(folder, "bad.backup");
      writeFileSync(bad, await crafted(change));
      const { out, err, status } = await admin(["restore", bad], to);
      expect({ out, status }).toEqual({ out: "", status: 1 });
      expect(await contents(to.DATABASE_URL)).toEqual(initialHash);
      expect(await runRejected(["key", "list"], to)).toMatch(/did not finish/);
      return err;
    };
    const reviews = "tables/reviews/000001.gz";
    const replaced = (bytes: Buffer) => (entries: Packed[]) =>
      entries.map((entry) => (entry.name === reviews ? { ...entry, bytes } : entry));
    // 20 MB of the same byte, compressed to 20 kB.
    expect(await rolledBack(replaced(gzipSync(Buffer.alloc(20_000_000, "a"))))).toMatch(
      /reviews doesn’t match its manifest/,
    );
    expect(
      await rolledBack(inManifest(({ tables }) => (tables.find(({ name }) => name === "reviews")!.rows -= 1))),
    ).toMatch(/doesn’t match its manifest/);
    expect(await rolledBack((entries) => entries.filter(({ name }) => name !== reviews))).toMatch(
      /doesn’t match its manifest/,
    );
  });
});

const keysOf = async (): Promise<[string, ...string[]]> =>
  (await rowsOf("select key from uploads order by client_id, token")).map(({ key }) => key) as [string, ...string[]];
