import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { ask, type Case, dataOf, makeCases, type ServerName, servers } from "@/lib/tools/bench/cases";
import { choose } from "@/lib/tools/bench/choose";
import { dataDir, noteSecret, openBenchDatabase, openEmptyDatabase } from "@/lib/tools/bench/database";
import { IMPORT, measureImports } from "@/lib/tools/bench/imports";
import { LISTS, type Lists, measureLists } from "@/lib/tools/bench/lists";
import { numbered, type WireRequest } from "@/lib/tools/bench/load";
import { CONNECTIONS, type Measured, measure } from "@/lib/tools/bench/measure";
import { measurePlanning, PLANNING, type Planning } from "@/lib/tools/bench/planning";
import { measurePortal, PORTAL } from "@/lib/tools/bench/portal";
import { type ServerProcess, startServer } from "@/lib/tools/bench/processes";
import { machine, type Report, table } from "@/lib/tools/bench/report";
import { measureSynchronization, SYNCHRONIZE } from "@/lib/tools/bench/synchronize";
import { measureUploads, UPLOAD } from "@/lib/tools/bench/upload";
import { LaunchError, say, step, tellOnStandardError } from "@/lib/tools/launch/bootstrap.mjs";
import { withLock } from "@/lib/tools/launch/lock.mjs";

// npm run bench: Candor's real server against two yardsticks on bare node:http, in one run, on the same PostgreSQL and
// the same rows.

const number = (least: number, most: number) => (given: string) => {
  const value = Number(given);
  if (given.trim() !== "" && value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
};

const options = new Command("bench")
  .description("Measure the server against what node:http and PostgreSQL can do on this machine.")
  .option("--rows <n>", "reviews in the database", number(60_000, 10_000_000), 100_000)
  .option("--items <n>", "open order items for the planner", number(10_000, 10_000_000), 1_000_000)
  .option("--seconds <n>", "measured time of one server in one round", number(0.2, 60), 1.5)
  .option("--rounds <n>", "rounds of each case", number(1, 99), 5)
  .option("--list-rows <n>", "rows of every table that the portal's lists read", number(20_000, 10_000_000), 1_000_000)
  .option("--products <n>", "products in the imported feed", number(1_000, 10_000_000), 1_000_000)
  .option("--only <name>", "only cases whose name holds this")
  .option("--json", "print one JSON value")
  .parse()
  .opts<{
    rows: number;
    items: number;
    listRows: number;
    seconds: number;
    rounds: number;
    products: number;
    only?: string;
    json?: true;
  }>();

if (options.json) tellOnStandardError();

const report = await withLock(
  path.join(dataDir, "bench.lock"),
  () => run(),
  (pid) => say(`Waiting for process ${pid}, which is measuring …`),
).catch((error) => {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
process.stdout.write(`${options.json ? JSON.stringify(report) : `\n${table(report)}`}\n`);
const wrong =
  report.cases.some(({ servers }) => Object.values(servers).some(({ unexpected }) => unexpected > 0)) ||
  Object.values(report.uploads?.readers ?? {}).some(({ unexpected }) => unexpected > 0);
process.exit(wrong ? 1 : 0);

async function run(): Promise<Report> {
  const { rows, rounds, seconds, only } = options;
  const lists = !only || LISTS.includes(only) ? await list() : null;
  const planning = !only || PLANNING.includes(only) ? await plan() : null;
  const alone = planning?.postgres ?? lists?.postgres;
  if (alone !== undefined && (only === PLANNING || only === LISTS))
    return {
      machine: machine(alone),
      rows: 0,
      rounds,
      seconds,
      connections: CONNECTIONS,
      cases: [],
      synchronization: null,
      uploads: null,
      portal: null,
      imports: null,
      planning,
      lists,
    };
  const database = await openBenchDatabase(rows);
  const logs = mkdtempSync(path.join(os.tmpdir(), "candor-bench-"));
  const started: ServerProcess[] = [];
  try {
    // As in production, but that limits are off: one key asks for more here than a key may.
    const settings = {
      DATABASE_URL: database.url,
      PUBLIC_URL: "https://reviews.example",
      RATE_LIMITS: "off",
      DATA_DIR: dataDir,
      CANDOR_SECRET: randomBytes(32).toString("hex"),
    };
    await noteSecret(database.url, settings.CANDOR_SECRET);
    const targets = await step("Starting the servers", async () => {
      const start = async (name: ServerName, program: string[], ready: string) => {
        const server = await startServer(program, ready, settings, path.join(logs, `${name}.log`));
        started.push(server);
        return server;
      };
      return {
        candor: await start("candor", ["dist/server.js"], "/api/health"),
        plain: await start("plain", ["--import", "tsx", "lib/tools/bench/yardsticks/plain.ts"], "/"),
        limit: await start("limit", ["--import", "tsx", "lib/tools/bench/yardsticks/limit.ts"], "/"),
      };
    });
    const cases: Measured[] = [];
    const all = await makeCases(targets.candor.port);
    const others = [SYNCHRONIZE, UPLOAD, PORTAL, IMPORT, PLANNING, LISTS];
    const chosen = choose([...all.map(({ name }) => name), ...others], only);
    for (const each of all.filter(({ name }) => chosen.has(name))) {
      await compare(each, targets);
      await step(`Measuring ${each.name}`, async () =>
        cases.push(await measure(each, targets, database.leader, { rounds, seconds })),
      );
    }
    const synchronization = chosen.has(SYNCHRONIZE)
      ? await step(`Measuring ${SYNCHRONIZE}`, () => measureSynchronization(targets, rounds))
      : null;
    const uploads = chosen.has(UPLOAD)
      ? await step(`Measuring ${UPLOAD}`, () => measureUploads(targets, rounds))
      : null;
    const portal = chosen.has(PORTAL)
      ? await step(`Measuring ${PORTAL}`, () => measurePortal(database.url, settings, path.join(logs, "portal.log")))
      : null;
    // Last: a million rows are a burden to whatever is measured after them.
    const imports = chosen.has(IMPORT)
      ? await step(`Measuring ${IMPORT}`, () =>
          measureImports(database.url, settings, { rows: options.products, mostRounds: rounds }),
        )
      : null;
    return {
      machine: machine(database.version),
      rows,
      rounds,
      seconds,
      connections: CONNECTIONS,
      cases,
      synchronization,
      uploads,
      portal,
      planning,
      lists,
      imports,
    };
  } finally {
    for (const server of started) await server.stop();
    await database.drop();
    rmSync(logs, { recursive: true });
  }
}

/** What is measured on a database that has only the schema: it is the database that does the work. */
async function onEmptyDatabase<T>(
  work: (settings: Record<"DATABASE_URL" | "DATA_DIR" | "CANDOR_SECRET", string>, version: string) => Promise<T>,
): Promise<T> {
  const database = await openEmptyDatabase();
  try {
    const secret = randomBytes(32).toString("hex");
    return await work({ DATABASE_URL: database.url, DATA_DIR: dataDir, CANDOR_SECRET: secret }, database.version);
  } finally {
    await database.drop();
  }
}

/** The planner is measured in this process. */
function plan(): Promise<Planning> {
  return onEmptyDatabase((settings, version) => {
    Object.assign(process.env, settings);
    return measurePlanning({ url: settings.DATABASE_URL, version }, options.items, options.rounds);
  });
}

function list(): Promise<Lists> {
  return onEmptyDatabase((settings, version) => measureLists({ ...settings, version }, options.listRows));
}

/** Only servers that answer the same may be compared. Throws when they do not. Submissions are judged by status alone. */
async function compare(each: Case, targets: Record<ServerName, ServerProcess>): Promise<void> {
  const request = each.requests[0] as WireRequest;
  if (request.body !== null) return;
  const [, target = ""] = numbered(request.head).split(" ");
  const tag = /if-none-match: (.*)\r/.exec(request.head)?.[1];
  const answers = await Promise.all(
    servers.map((name) => ask(targets[name].port, target, tag ? { "if-none-match": tag } : {})),
  );
  const alike =
    answers.every(({ status }) => status === each.expected) &&
    (each.same === "status" || new Set(answers.map(({ body }) => dataOf(body))).size === 1);
  if (!alike) throw new Error(`${each.name}: the servers do not answer alike.`);
}
