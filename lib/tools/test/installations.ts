import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import pg from "pg";
import { extract } from "tar-stream";
import { afterAll, beforeAll, expect } from "vitest";
import { runCommand as runAdmin } from "@/app/_admin-commands";
import { processIdentity } from "@/lib/tools/launch/lock.mjs";
import { migrations } from "@/lib/tools/launch/migrate.mjs";
import { applyMigrations } from "@/lib/tools/test/apply-migrations";
import { type CommandOutput, captureAdmin, startAdmin } from "@/lib/tools/test/program";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

// Other installations than this worker's: databases whose owner has no other privileges, and the admin command.

export type Environment = Record<string, string>;

type Run = (args: string[], env?: Environment, input?: string) => Promise<CommandOutput>;
/** Runs the command in this process, with the settings of an installation. */
export const admin: Run = (args, env = {}, input = "") => captureAdmin(runAdmin, [...args, "--json"], { env, input });
const adminProcess: Run = (args, env = {}, input = "") => startAdmin([...args, "--json"], { env, input }).printed;

/** The command's output; throws its error if it fails. */
export const runCommand = (args: string[], env: Environment = {}, input = "") => resultOf(admin(args, env, input));
/** The same with a command in its own process. */
export const runProcess = (args: string[], env: Environment = {}, input = "") =>
  resultOf(adminProcess(args, env, input));

async function resultOf(output: Promise<CommandOutput>) {
  const { out, err, status } = await output;
  expect(status, err).toBe(0);
  return JSON.parse(out);
}

/** Expects one line on standard error, and nothing else. */
export async function runRejected(args: string[], env: Environment = {}, input = ""): Promise<string> {
  const { out, err, status } = await admin(args, env, input);
  expect({ out, status }).toEqual({ out: "", status: 1 });
  const lines = err.trim().split("\n");
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

export const cluster = new URL(process.env.DATABASE_URL ?? "");
const owner = `restore_${process.pid}`;
const databases: string[] = [];

export const addressOf = (name: string) =>
  Object.assign(new URL(cluster), { pathname: `/${name}`, username: owner, password: owner }).href;

export async function inDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  return work(db).finally(() => db.end());
}
const asSuperuser = (text: string) =>
  inDatabase(Object.assign(new URL(cluster), { pathname: "/postgres" }).href, (db) => db.query(text));

export async function aDatabase(template = "template1"): Promise<string> {
  const name = `run_${owner}_${databases.length}`;
  databases.push(name);
  await asSuperuser(`create database ${name} owner ${owner} template ${template}`);
  await asSuperuser(`comment on database ${name} is ${pg.escapeLiteral(processIdentity(process.pid) ?? "")}`);
  return name;
}

/** The address of a migrated database without rows. */
export const emptyInstallationAddress = (): string => addressOf(databases[0] as string);

/** A migrated, empty installation, with the settings that the launcher passes to the command. */
export async function anInstallation(settings: Environment = {}) {
  const DATABASE_URL = addressOf(await aDatabase(databases[0]));
  const DATA_DIR = temporaryFolder("restored");
  return { DATABASE_URL, DATA_DIR, ...settings };
}

/** Creates what the functions above need, and drops it when the file's tests end. Call it at the top of the file. */
export function provideInstallations(): void {
  beforeAll(async () => {
    await asSuperuser(`create role ${owner} login nosuperuser password '${owner}'`);
    await inDatabase(addressOf(await aDatabase()), (db) => applyMigrations(db, migrations()));
  });
  afterAll(async () => {
    for (const name of databases.splice(0)) await asSuperuser(`drop database if exists ${name} with (force)`);
    await asSuperuser(`drop role ${owner}`);
  });
}

/** All files below a folder with their contents. */
export const filesIn = (folder: string): Record<string, string> =>
  existsSync(folder)
    ? Object.fromEntries(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath, entry.name))
          .sort()
          .map((file) => [path.relative(folder, file), readFileSync(file).toString("base64")]),
      )
    : {};

export type Packed = { name: string; bytes: Buffer };

/** The entries of a tar. */
export async function unpack(name: string): Promise<Packed[]> {
  const tar = extract();
  tar.end(readFileSync(name));
  const found: Packed[] = [];
  for await (const entry of tar) found.push({ name: entry.header.name, bytes: await buffer(entry) });
  return found;
}
