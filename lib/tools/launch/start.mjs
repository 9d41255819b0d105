// @ts-check
// npm start, npm run dev: from a fresh clone to a running portal.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  bootstrap,
  childEnvironment,
  exitOnError,
  forwardStop,
  LaunchError,
  printLine,
  root,
  run,
  secondsSinceStart,
  step,
  stopSignal,
  throwIfStopped,
} from "./bootstrap.mjs";
import { build, generateCode, isBuilt } from "./prepare.mjs";

const development = process.argv.includes("--dev");
await bootstrap(import.meta.filename, () => !development && isBuilt());
const { openDatabase } = await import("./database.mjs");
const { loadSettings } = await import("./settings.mjs");
const { demoPassword } = await import("../../platform/env.ts");
const { unfinishedRestore } = await import("../../backup/unfinished-restore.ts");
const { default: pg } = await import("pg");

process.exit((await exitOnError(start)) ?? 0);

async function start() {
  process.chdir(root);
  Object.assign(process.env, { NODE_ENV: development ? "development" : "production" });
  const settings = loadSettings();
  const unfinished = unfinishedRestore(settings.DATA_DIR);
  if (unfinished) throw new LaunchError(unfinished);
  await assertPortFree(settings);
  await (development ? generateCode : build)();
  const database = await openDatabase(settings);
  try {
    throwIfStopped();
    if (!settings.DATABASE_URL) await loadDemo(database.url);
    return await serve(settings, database);
  } finally {
    await database.release();
  }
}

/** @param {{ HOST: string, PORT: number }} settings */
async function assertPortFree({ HOST, PORT }) {
  const probe = createServer();
  probe.listen(PORT, HOST);
  try {
    await once(probe, "listening");
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "EADDRINUSE")
      throw new LaunchError(
        `Port ${PORT} on ${HOST} is already in use, maybe by another Candor. Stop it, or set PORT to a free port.`,
      );
    throw new LaunchError(`Can't listen on ${HOST}, port ${PORT}: ${message}.`, { cause });
  }
  probe.close();
  await once(probe, "close");
}

/** Adds demo data at the first start of the embedded database. @param {string} url */
async function loadDemo(url) {
  if (await firstRow(url, "select from clients where not demo union all select from api_keys where demo limit 1"))
    return;
  // The command itself checks whether demo data is allowed (its keys are public: loopback addresses only).
  const admin = development ? ["--import", "tsx", "app/_admin.ts"] : ["dist/admin.js"];
  await step("Loading the demo data if allowed", () =>
    run(process.execPath, [...admin, "demo", "load"], { env: childEnvironment() }),
  );
}

/** @param {string} url @param {string} query */
async function firstRow(url, query) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(query)).rows[0];
  } finally {
    await client.end();
  }
}

/**
 * @param {ReturnType<typeof loadSettings>} settings
 * @param {{ url: string, version: string }} database
 */
async function serve(settings, database) {
  const ended = development ? serveFromSource() : serveBuilt();
  const ready = await Promise.race([ended.then(() => false), waitUntilHealthy(settings)]);
  if (ready) await printSummary(settings, database);
  const code = await ended;
  if (!ready && code !== 0) throw new LaunchError("The server stopped before it was ready. Its output is above.");
  return code;
}

/**
 * In this process: another one would take a second to start and a hundred megabytes. @returns {Promise<number>} the
 * exit code
 */
async function serveBuilt() {
  Object.assign(process.env, childEnvironment());
  const { run } = await import(path.join(root, "dist/server.js"));
  return run(stopSignal);
}

/** Next reloads its own pages; changes of other modules restart the server. @returns {Promise<number>} the exit code */
async function serveFromSource() {
  const follow = ["--import", path.join(import.meta.dirname, "exit-with-parent.mjs")];
  const watcher = ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false", "--exclude", ".next/**"];
  const server = spawn(process.execPath, [...follow, ...watcher, ...follow, "app/_main.ts"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: childEnvironment(),
  });
  server.channel?.unref();
  forwardStop(server);
  // Running requests get time to finish; one that never ends must not block the stop.
  stopSignal.addEventListener("abort", () => setTimeout(() => server.kill("SIGKILL"), 20_000).unref());
  const [code] = await once(server, "close");
  return stopSignal.aborted ? 0 : (code ?? 1);
}

/** The address of the server on this machine. @param {{ HOST: string, PORT: number }} settings */
function localAddress({ HOST, PORT }) {
  const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[HOST] ?? (HOST.includes(":") ? `[${HOST}]` : HOST);
  return `http://${host}:${PORT}`;
}

/**
 * Waits until the server reports that it and its database are healthy. @param {{ HOST: string, PORT: number }} settings
 */
async function waitUntilHealthy(settings) {
  while (!stopSignal.aborted) {
    try {
      const answer = await fetch(`${localAddress(settings)}/api/health`, { signal: AbortSignal.timeout(10_000) });
      await answer.arrayBuffer();
      if (answer.status === 200) return true;
    } catch {
      // not listening yet: poll until it is, or until it has exited
    }
    await sleep(100);
  }
  return false;
}

/**
 * @param {ReturnType<typeof loadSettings>} settings
 * @param {{ url: string, version: string }} database
 */
async function printSummary(settings, { url, version }) {
  const { PUBLIC_URL, HOST, DATA_DIR } = settings;
  const lines = [
    `Ready in ${secondsSinceStart()} s${development ? " (development)" : ""}. Press Ctrl-C to stop.`,
    `  portal    ${PUBLIC_URL}/portal`,
    `  API       ${PUBLIC_URL}/v1 (docs: ${PUBLIC_URL}/docs)`,
    `  address   ${localAddress(settings)}${HOST === "0.0.0.0" || HOST === "::" ? ", all interfaces" : ""}`,
    `  data      ${path.relative(process.cwd(), DATA_DIR) || DATA_DIR}${settings.DATABASE_URL ? " (files)" : ""}`,
    `  database  PostgreSQL ${version}${settings.DATABASE_URL ? ", at DATABASE_URL" : ", embedded"}`,
  ];
  const demo = !settings.DATABASE_URL && (await firstRow(url, "select from clients where id = 'demo.candor.example'"));
  if (demo && isLoopback(HOST) && isLoopback(new URL(PUBLIC_URL).hostname))
    lines.push(
      `  demo      user demo, password ${demoPassword()}, key sk_demo_0123456789abcdef; only works on this machine`,
    );
  else if (demo && settings.CANDOR_DEMO)
    lines.push(
      `  demo      user demo, password ${demoPassword()}, demo account only; works from anywhere (CANDOR_DEMO)`,
    );
  else if (demo)
    lines.push(
      "  demo      disabled because HOST or PUBLIC_URL isn't a loopback address (set CANDOR_DEMO=true to allow it)",
    );
  printLine(lines.join("\n"));
}

/** @param {string} host */
function isLoopback(host) {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
