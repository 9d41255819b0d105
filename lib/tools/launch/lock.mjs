// @ts-check
// File locks between processes, without dependencies. A lock identifies its holder by pid and start time, so that one
// left behind by kill -9 is recognized, even if the pid has been reused.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Identifies a process by pid and start time, as the system reports it. Null if there is no such process.
 * @param {number} pid
 */
export function processIdentity(pid) {
  try {
    if (process.platform === "linux") {
      // Field 22 of stat. The name before it may contain spaces and parentheses, so count from its last parenthesis. Z:
      // zombie.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      return fields[0] === "Z"
        ? null
        : `${pid} ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
    }
    if (process.platform === "win32") {
      process.kill(pid, 0);
      return `${pid}`;
    }
    return `${pid} ${execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim()}`;
  } catch {
    return null; // no such process, as each platform reports it
  }
}

/** @param {string} identity an earlier result of processIdentity() */
export function isAlive(identity) {
  return identity !== "" && processIdentity(Number.parseInt(identity, 10)) === identity;
}

/** @param {string} file */
function readHolder(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Runs `work` while this process holds the lock `file`; waits for other holders. Not reentrant.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once if another process holds it
 * @returns {Promise<T>}
 */
export async function withLock(file, work, onWait) {
  mkdirSync(path.dirname(file), { recursive: true });
  const ownIdentity = /** @type {string} */ (processIdentity(process.pid));
  let hasNotified = false;
  for (;;) {
    const other = readHolder(file);
    if (other === null) {
      try {
        writeFileSync(file, ownIdentity, { flag: "wx" });
        break;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
        continue;
      }
    }
    // An empty file belongs to a holder between creating and writing it, or to one that died there: wait for a moment.
    if (other === "") await sleep(500);
    if (!isAlive(other) && readHolder(file) === other) {
      // Several processes may take over concurrently: the last rename wins, and the process that then reads its own
      // identity holds the lock.
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, ownIdentity);
      renameSync(draft, file);
      await sleep(50);
      if (readHolder(file) === ownIdentity) break;
    }
    if (!hasNotified) onWait?.(Number.parseInt(other, 10));
    hasNotified = true;
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
