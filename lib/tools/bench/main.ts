import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { type Case, comparableData, fetchPath, makeCases, type ServerName, servers } from "@/lib/tools/bench/cases";
import { dataDir, openBenchDatabase, openEmptyDatabase, storeSecretId } from "@/lib/tools/bench/database";
import { IMPORT, measureImports } from "@/lib/tools/bench/imports";
import { LISTS, type Lists, measureLists } from "@/lib/tools/bench/lists";
import { type WireRequest, withSerial } from "@/lib/tools/bench/load";
import { type CaseResult, CONNECTIONS, measure } from "@/lib/tools/bench/measure";
import { measurePlanning, PLANNING, type Planning } from "@/lib/tools/bench/planning";
import { measurePortal, PORTAL } from "@/lib/tools/bench/portal";
import { type ServerProcess, startServer } from "@/lib/tools/bench/processes";
import { formatReport, machine, type Report } from "@/lib/tools/bench/report";
import { selectCases } from "@/lib/tools/bench/select-cases";
import { measureSynchronization, SYNCHRONIZE } from "@/lib/tools/bench/synchronize";
import { measureUploads, UPLOAD } from "@/lib/tools/bench/upload";
import { LaunchError, logToStderr, printLine, step } from "@/lib/tools/launch/bootstrap.mjs";
import { withLock } from "@/lib/tools/launch/lock.mjs";

// npm run bench: Candor's real server against two yardsticks on bare node:http, in one run, on the same PostgreSQL and
// the same rows.

const numberBetween = (min: number, max: number) => (given: string) => {
  const value = Number(given);
  if (given.trim() !== "" && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
};

const options = new Command("bench")
  .description("Measure the server against what node:http and PostgreSQL can do on this machine.")
  .option("--rows <n>", "reviews in the database", numberBetween(60_000, 10_000_000), 100_000)
  .option("--items <n>", "open order items for the run that invites", numberBetween(10_000, 10_000_000), 1_000_000)
  .option("--seconds <n>", "measured time of one server in one round", numberBetween(0.2, 60), 1.5)
  .option("--rounds <n>", "rounds of each case", numberBetween(1, 99), 5)
  .option(
    "--list-rows <n>",
    "rows of every table that the portal's lists read",
    numberBetween(20_000, 10_000_000),
    1_000_000,
  )
  .option("--products <n>", "products in the imported feed", numberBetween(1_000, 10_000_000), 1_000_000)
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

if (options.json) logToStderr();

const report = await withLock(
  path.join(dataDir, "bench.lock"),
  () => run(),
  (pid) => printLine(`Waiting for process ${pid}, which is measuring …`),
).catch((error) => {
  if (!(error instanceof LaunchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
});
process.stdout.write(`${options.json ? JSON.stringify(report) : `\n${formatReport(report)}`}\n`);
const hasUnexpectedStatus =
  report.cases.some(({ servers }) => Object.values(servers).some(({ unexpected }) => unexpected > 0)) ||
  Object.values(report.uploads?.readers ?? {}).some(({ unexpected }) => unexpected > 0);
process.exit(hasUnexpectedStatus ? 1 : 0);

async function run(): Promise<Report> {
  const { rows, rounds, seconds, only } = options;
  const lists = !only || LISTS.includes(only) ? await measurePortalLists() : null;
  const planning = !only || PLANNING.includes(only) ? await measureInvitations() : null;
  const postgresVersion = planning?.postgres ?? lists?.postgres;
  if (postgresVersion !== undefined && (only === PLANNING || only === LISTS))
    return {
      machine: machine(postgresVersion),
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
    // As in production, but without rate limits: one key sends more requests than allowed.
    const settings = {
      DATABASE_URL: database.url,
      PUBLIC_URL: "https://reviews.example",
      RATE_LIMITS: "off",
      DATA_DIR: dataDir,
      CANDOR_SECRET: randomBytes(32).toString("hex"),
    };
    await storeSecretId(database.url, settings.CANDOR_SECRET);
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
    const cases: CaseResult[] = [];
    const all = await makeCases(targets.candor.port);
    const others = [SYNCHRONIZE, UPLOAD, PORTAL, IMPORT, PLANNING, LISTS];
    const selected = selectCases([...all.map(({ name }) => name), ...others], only);
    for (const each of all.filter(({ name }) => selected.has(name))) {
      await assertSameAnswers(each, targets);
      await step(`Measuring ${each.name}`, async () =>
        cases.push(await measure(each, targets, database.postmasterPid, { rounds, seconds })),
      );
    }
    const synchronization = selected.has(SYNCHRONIZE)
      ? await step(`Measuring ${SYNCHRONIZE}`, () => measureSynchronization(targets, rounds))
      : null;
    const uploads = selected.has(UPLOAD)
      ? await step(`Measuring ${UPLOAD}`, () => measureUploads(targets, rounds))
      : null;
    const portal = selected.has(PORTAL)
      ? await step(`Measuring ${PORTAL}`, () => measurePortal(database.url, settings, path.join(logs, "portal.log")))
      : null;
    // Last, because a million rows slow down every later measurement.
    const imports = selected.has(IMPORT)
      ? await step(`Measuring ${IMPORT}`, () =>
          measureImports(database.url, settings, { rows: options.products, maxRounds: rounds }),
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

/** Measures on a database with the schema only; the database does the work. */
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

/** Invites in this process. */
function measureInvitations(): Promise<Planning> {
  return onEmptyDatabase((settings, version) => {
    Object.assign(process.env, settings);
    return measurePlanning({ url: settings.DATABASE_URL, version }, options.items, options.rounds);
  });
}

function measurePortalLists(): Promise<Lists> {
  return onEmptyDatabase((few, version) =>
    onEmptyDatabase((many) => measureLists({ few, many }, options.listRows, version)),
  );
}

/**
 * Throws unless all servers return the same, since only then can they be compared. Submissions are compared by status
 * only.
 */
async function assertSameAnswers(each: Case, targets: Record<ServerName, ServerProcess>): Promise<void> {
  const request = each.requests[0] as WireRequest;
  if (request.body !== null) return;
  const [, target = ""] = withSerial(request.head).split(" ");
  const tag = /if-none-match: (.*)\r/.exec(request.head)?.[1];
  const answers = await Promise.all(
    servers.map((name) => fetchPath(targets[name].port, target, tag ? { "if-none-match": tag } : {})),
  );
  const isSame =
    answers.every(({ status }) => status === each.expected) &&
    (each.compareBy === "status" || new Set(answers.map(({ body }) => comparableData(body))).size === 1);
  if (!isSame) throw new Error(`${each.name}: the servers return different responses.`);
}
