// @ts-check
// The whole schema as one script: the tables as Prisma creates them from schema.prisma, then sql/ in order of file names.
// A baseline migration is its output, and a test compares that with the result of the migrations:
//   DATABASE_URL=postgresql://… node prisma/full-schema.mjs > prisma/migrations/…_baseline/migration.sql
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { childEnvironment, root, run } from "../lib/tools/launch/bootstrap.mjs";

const prismaCli = path.join(root, "node_modules/prisma/build/index.js");

/**
 * Changes nothing: the schema engine only needs a database to connect to.
 * @param {string} url @returns {Promise<string>}
 */
export async function buildSchemaSql(url) {
  const args = "migrate diff --config prisma/prisma.config.ts --from-empty --to-schema prisma/schema.prisma --script";
  const output = await run(process.execPath, [prismaCli, ...args.split(" ")], {
    env: { ...childEnvironment(), DATABASE_URL: url },
  });
  const tables = output
    .replace(/^Loaded Prisma config .*\n/m, "") // on standard error
    .replace(/^[\s\S]*?(?=-- CreateTable)/, "") // the schema `public`, which exists already
    // Text compares in byte order, so that ids sort the same in every database, whatever its locale.
    .replace(/^( {4}"\w+" TEXT(?:\[\])?)/gm, '$1 COLLATE "C"');
  const folder = path.join(import.meta.dirname, "sql");
  const files = readdirSync(folder)
    .sort()
    .map((name) => `-- ${name}\n\n${readFileSync(path.join(folder, name), "utf8")}`);
  return [`-- Made by full-schema.mjs from schema.prisma and sql/.\n\n${tables.trimEnd()}\n`, ...files].join("\n");
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(await buildSchemaSql(process.env.DATABASE_URL ?? ""));
