import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { isAlive, processIdentity, withLock } from "./lock.mjs";

const lockFile = () => path.join(temporaryFolder("lock"), "lock");

const outputFile = (file: string) => `${file}.said`;

/**
 * A process that reports when it holds the lock, and again when it releases it after `ms`: on its output, and in a file
 * next to the lock that records the order of several processes.
 */
function startHolder(file: string, ms: number) {
  const lock = new URL("./lock.mjs", import.meta.url).href;
  const code = `import { appendFileSync } from "node:fs";
    import { withLock } from ${JSON.stringify(lock)};
    const say = (what) => {
      appendFileSync(${JSON.stringify(outputFile(file))}, what + "\\n");
      console.log(what);
    };
    await withLock(${JSON.stringify(file)}, async () => {
      say("in");
      await new Promise((resolve) => setTimeout(resolve, ${ms}));
      say("out");
    });`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
}

test("detects live processes, unused pids and reused pids", () => {
  expect(isAlive(processIdentity(process.pid) ?? "")).toBe(true);
  expect(processIdentity(2 ** 30)).toBeNull();
  expect(isAlive(`${process.pid} born at another time`)).toBe(false);
  expect(isAlive("")).toBe(false);
});

test("only one process at a time holds the lock", async () => {
  const file = lockFile();
  const holders = Array.from({ length: 6 }, () => startHolder(file, 30));
  for (const child of holders) child.stdout.resume();
  await Promise.all(holders.map((child) => once(child, "close")));
  const lines = readFileSync(outputFile(file), "utf8").trim().split("\n");
  expect(lines).toEqual(Array.from({ length: 6 }, () => ["in", "out"]).flat());
  expect(existsSync(file)).toBe(false);
});

test("a killed holder releases the lock", async () => {
  const file = lockFile();
  const child = startHolder(file, 60_000);
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(existsSync(file)).toBe(true);
  expect(await withLock(file, async () => "mine")).toBe("mine");
});

test("a waiting process is notified once", async () => {
  const file = lockFile();
  const child = startHolder(file, 60_000);
  await once(child.stdout, "data");
  const waitedFor: number[] = [];
  await withLock(
    file,
    async () => {},
    (pid) => {
      waitedFor.push(pid);
      setTimeout(() => child.kill(), 400); // after several checks of the lock
    },
  );
  expect(waitedFor).toEqual([child.pid]);
});

test("a lock with an empty file is taken over", async () => {
  const file = lockFile();
  writeFileSync(file, "");
  await Promise.race([withLock(file, async () => {}), sleep(5000).then(() => expect.unreachable())]);
});

test("the lock is released when the work fails", async () => {
  const file = lockFile();
  await expect(withLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(file)).toBe(false);
});
