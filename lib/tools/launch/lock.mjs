// @ts-check
// Locks between processes, as files, with nothing installed. A lock names its holder by pid and moment of birth, so that
// one left behind by kill -9 is recognised as such, also when the pid has been given to another process since.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Who a process is: its pid and when it was born, in the system's own words. Null when there is no such process.
 * @param {number} pid
 */
export function processIdentity(pid) {
  try {
    if (process.platform === "linux") {
      // Field 22 of stat; the name before it may hold spaces and brackets, so count from its last bracket. Z: dead, unburied.
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
    return null; // no such process, in the words of each platform
  }
}

/** @param {string} identity what identify() said of a process earlier */
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
 * Runs `work` while this process holds the lock `file`; waits for others. Not re-entrant.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {(pid: number) => void} [onWait] called once, when another process holds it
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
    // An empty file is a holder between creating and writing, or one that died there: give it a moment.
    if (other === "") await sleep(500);
    if (!isAlive(other) && readHolder(file) === other) {
      // Several may take over at once: the last rename stands, and whoever reads itself after a moment holds the lock.
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
