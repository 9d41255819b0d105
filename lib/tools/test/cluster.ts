import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { isAlive, processIdentity, withLock } from "@/lib/tools/launch/lock.mjs";
import { migrate, schemaVersion } from "@/lib/tools/launch/migrate.mjs";
import { ensureDatabase, joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { buildPrograms } from "@/lib/tools/launch/prepare.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** URLs of the databases of this run, one per worker. */
    databases: string[];
  }
}

/**
 * The folder of a project's cluster, and the package with its PostgreSQL: the oldest supported one, or the bundled one.
 */
export const clusterOf = (project: string) =>
  project.startsWith("PostgreSQL 15")
    ? { dataDir: path.join(root, ".data/test-15"), programs: "postgres-15" }
    : { dataDir: path.join(root, ".data/test") };

/**
 * Setup of the database tests: a cluster for tests (shared with concurrent runs, kept between runs), a migrated
 * template per schema, and a copy of it for each worker of this run.
 */
export default async function setup(project: TestProject) {
  await buildPrograms();
  const { dataDir, ...programs } = clusterOf(project.name);
  const cluster = await joinCluster(dataDir, { durable: false, ...programs });
  const template = `template_${schemaVersion()}`;
  const databases = Array.from(
    { length: project.config.maxWorkers },
    (_, worker) => `run_${process.pid}_${project.name.replace(/\W+/g, "_")}_${worker + 1}`,
  );

  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  const drop = (name: string) => admin.query(`drop database if exists ${admin.escapeIdentifier(name)} with (force)`);
  await withLock(path.join(dataDir, "databases.lock"), async () => {
    await ensureDatabase(dataDir, cluster, template, (url) => migrate(url, (_, work) => work()));
    // Databases left by earlier schemas and killed runs. The comment of a run's database identifies its process.
    const { rows } = await admin.query<{ name: string; owner: string | null }>(
      `select datname as name, shobj_description(oid, 'pg_database') as owner from pg_database where datname ~ '^(run|template)_'`,
    );
    for (const { name, owner } of rows) if (name !== template && !isAlive(owner ?? "")) await drop(name);
    for (const name of databases.map((name) => admin.escapeIdentifier(name))) {
      await admin.query(`create database ${name} template ${admin.escapeIdentifier(template)}`);
      await admin.query(`comment on database ${name} is ${admin.escapeLiteral(processIdentity(process.pid) ?? "")}`);
    }
  });
  project.provide(
    "databases",
    databases.map((name) => cluster.url(name)),
  );

  return async () => {
    for (const name of databases) await drop(name);
    await admin.end();
    await cluster.release();
  };
}
