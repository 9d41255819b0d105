import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment, root } from "@/lib/tools/launch/bootstrap.mjs";

// The servers that are measured, each a process of its own, and what they and the database cost.

export type ServerProcess = { port: number; pid: number; stop: () => Promise<void> };

/**
 * Starts a program (Node's arguments) as a server on a free port and waits until the address `ready` answers 200. What it
 * says goes to the file `logFile`. It ends by itself when this process does, however that is.
 */
export async function startServer(
  program: readonly string[],
  ready: string,
  settings: Record<string, string>,
  logFile: string,
): Promise<ServerProcess> {
  const port = await freePort();
  const { PATH, HOME, NEXT_TELEMETRY_DISABLED } = childEnvironment() as Record<string, string>;
  const out = openSync(logFile, "w", 0o600);
  const follow = path.join(root, "lib/tools/launch/exit-with-parent.mjs");
  const child = spawn(process.execPath, ["--import", follow, ...program], {
    cwd: root,
    // Only what is named here: settings of this machine's own installation (mail, Inngest) must not reach a measured one.
    env: {
      PATH,
      HOME,
      NEXT_TELEMETRY_DISABLED,
      NODE_ENV: "production",
      ...settings,
      HOST: "127.0.0.1",
      PORT: String(port),
    },
    stdio: ["ignore", out, out, "ipc"],
  });
  closeSync(out);
  await waitUntilReady(child, `http://127.0.0.1:${port}${ready}`, () => readFileSync(logFile, "utf8"));
  return {
    port,
    pid: child.pid as number,
    stop: async () => {
      const ended = once(child, "close");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function waitUntilReady(child: ChildProcess, url: string, readLog: () => string): Promise<void> {
  const until = Date.now() + 60_000;
  while (child.exitCode === null && Date.now() < until) {
    const status = await fetch(url).then(
      async (answer) => (await answer.arrayBuffer()) && answer.status,
      () => null, // not listening yet
    );
    if (status === 200) return;
    await sleep(100);
  }
  child.kill("SIGKILL");
  throw new Error(`A server did not start:\n${readLog().slice(-4_000)}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

/** Seconds of CPU (user and system) a process has used so far. Null where the system does not tell (not Linux). */
export function cpuOf(pid: number): number | null {
  return statOf(pid)?.own ?? null;
}

/** Seconds of CPU of the whole database server: the process that leads it, those it has now, and those that ended. */
export function cpuOfPostgres(postmasterPid: number | null): number | null {
  const stat = postmasterPid === null ? null : statOf(postmasterPid);
  if (!stat) return null;
  const children = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [statOf(Number(name))] : []));
  return children.reduce(
    (sum, child) => sum + (child?.parent === postmasterPid ? child.own : 0),
    stat.own + stat.ended,
  );
}

/** Bytes of memory a process has resident. Null where the system does not tell (not Linux). */
export function residentMemoryOf(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null; // no /proc here
  }
}

/** The process that started this one. Null where the system does not tell. */
export const parentOf = (pid: number): number | null => statOf(pid)?.parent ?? null;

/** Fields of /proc/<pid>/stat, counted behind the name in brackets; times in hundredths of a second. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ").map(Number) ?? [];
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    return { parent, own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
  } catch {
    return null; // ended between listing and reading, or no /proc here
  }
}
