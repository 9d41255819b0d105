import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { Engine } from "@/lib/platform/jobs/engine";
import { crashing } from "@/lib/platform/jobs/fixtures/crashing-functions";
import { listRuns } from "@/lib/platform/jobs/list-runs";
import { emptyDatabase } from "@/lib/tools/test/database";
import { sendEvents, shortBackoff, testApp, waitUntil } from "@/lib/tools/test/engines";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

// Runs engines in separate processes and kills them.

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

let folder: string;
let log: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  await emptyDatabase();
  folder = temporaryFolder("crash");
  log = path.join(folder, "log");
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

const startProcess = (file: string, ...args: string[]): ChildProcess => {
  const child = spawn(process.execPath, ["--import", "tsx", fixture(file), ...args], {
    env: process.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  return child;
};

async function startEngineProcess(): Promise<ChildProcess> {
  const child = startProcess("engine-process.ts");
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

const expectKilled = async (child: ChildProcess) => expect((await once(child, "exit"))[1]).toBe("SIGKILL");

const logLines = () => readFileSync(log, "utf8").trim().split("\n");

const ended = () =>
  waitUntil(async () => {
    const runs = await listRuns();
    return runs.length > 1 && runs.every(({ ended_at }) => ended_at) ? runs : null;
  }, 30_000);

describe("a killed engine", () => {
  it.each([
    ["between steps", ["one", "two begins", "two ends", "three"]],
    ["in a step", ["one", "two begins", "two begins", "two ends", "three"]],
    ["in the last step", ["one", "two begins", "two ends", "three", "three"]],
    ["after an event", ["one", "two begins", "two ends", "three"]],
  ])(
    "dies %s: another engine continues without repeating finished steps",
    async (where, expected) => {
      const child = await startEngineProcess();
      await sendEvents(testApp(crashing), [{ name: "crash/go", data: { log, where } }]);
      await expectKilled(child);

      const engine = await Engine.start(testApp(crashing), { backoff: shortBackoff });
      const runs = await ended();
      await engine.stop();
      expect(runs.map(({ function: id, status }) => [id, status]).sort()).toEqual([
        ["crash", "done"],
        ["sent", "done"],
      ]);
      // The event starts another run, which may have been interrupted by the same crash.
      expect(logLines().filter((note) => note !== "sent")).toEqual(expected);
      expect(logLines()).toContain("sent");
    },
    40_000,
  );

  it("is replaced by another running engine", async () => {
    const engine = await Engine.start(
      testApp(() => []),
      { backoff: shortBackoff },
    );
    const [first, second] = [await startEngineProcess(), await startEngineProcess()];
    await engine.stop();
    await sendEvents(testApp(crashing), [{ name: "crash/go", data: { log, where: "in a step" } }]);
    await Promise.race([once(first, "exit"), once(second, "exit")]);
    await ended();
    expect(logLines().filter((note) => note === "one")).toHaveLength(1);
    expect(logLines().filter((note) => note === "two ends")).toHaveLength(1);
    expect([first.signalCode, second.signalCode].sort()).toEqual(["SIGKILL", null].sort());
  }, 40_000);

  it("releases its runs when it is stopped", async () => {
    const child = await startEngineProcess();
    await sendEvents(testApp(crashing), [{ name: "crash/go", data: { log, where: "nowhere" } }]);
    await waitUntil(async () => {
      const { rows } = await pool().query("select from job_steps where name = 'two' and status = 'done'");
      return rows.length > 0;
    });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    const { rows } = await pool().query("select status, recoveries from job_runs where function_id = 'test-crash'");
    expect(rows[0]).toMatchObject({ recoveries: 0 });
    expect(rows[0]?.status).not.toBe("running");

    const engine = await Engine.start(testApp(crashing), { backoff: shortBackoff });
    await ended();
    await engine.stop();
    expect(logLines().filter((note) => note !== "sent")).toEqual(["one", "two begins", "two ends", "three"]);
  }, 40_000);

  it("fails a run that crashes the process repeatedly", async () => {
    await pool().query("delete from job_runs");
    const app = testApp(crashing);
    let child = await startEngineProcess();
    await sendEvents(app, [{ name: "crash/poison", data: {} }]);
    // The first crash is real; later ones are only recorded in the database, since each would need another process.
    await expectKilled(child);
    await pool().query("update job_runs set recoveries = 5");
    child = await startEngineProcess();
    const [run] = await waitUntil(async () => {
      const runs = await listRuns();
      return runs.every(({ ended_at }) => ended_at) ? runs : null;
    }, 20_000);
    expect(run).toMatchObject({ status: "failed", error: { name: "CrashError" } });
    expect(child.exitCode).toBeNull();
  }, 40_000);
});

describe("a process killed while it writes events", () => {
  it("sends exactly the committed events", async () => {
    await expectKilled(startProcess("write-event.ts", "before the commit", "lost"));
    await expectKilled(startProcess("write-event.ts", "after the commit", "kept"));
    const seen: unknown[] = [];
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "review/updated" }] }, async ({ event }) => {
        seen.push(event.data);
      }),
    ]);
    // Two engines relay concurrently; the event is delivered once.
    const engines = await Promise.all([Engine.start(app), Engine.start(app)]);
    await waitUntil(async () => seen.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const engine of engines) await engine.stop();
    expect(seen).toEqual([{ client_id: "c", review_id: "kept" }]);
  }, 30_000);
});
