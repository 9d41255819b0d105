import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { childEnvironment, root } from "@/lib/tools/launch/bootstrap.mjs";

// The measured servers, each in its own process, and the CPU and memory of them and the database.

export type ServerProcess = { port: number; pid: number; stop: () => Promise<void> };

/**
 * Starts a program (Node's arguments) as a server on a free port and waits until the path `ready` returns 200. Its
 * output goes to the file `logFile`. It exits with this process, however that ends.
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
    // An explicit environment: settings of this machine's installation (email, Inngest) must not reach a measured
    // server.
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

/** Seconds of CPU (user and system) of a process so far. Null if the system doesn't report it (not Linux). */
export function cpuOf(pid: number): number | null {
  return statOf(pid)?.own ?? null;
}

/** Seconds of CPU of the whole database server: the postmaster, its current processes, and those that exited. */
export function cpuOfPostgres(postmasterPid: number | null): number | null {
  const stat = postmasterPid === null ? null : statOf(postmasterPid);
  if (!stat) return null;
  const children = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [statOf(Number(name))] : []));
  return children.reduce(
    (sum, child) => sum + (child?.parent === postmasterPid ? child.own : 0),
    stat.own + stat.ended,
  );
}

/** Resident memory of a process in bytes. Null if the system doesn't report it (not Linux). */
export function residentMemoryOf(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null; // no /proc here
  }
}

/** Parent of a process. Null if the system doesn't report it. */
export const parentOf = (pid: number): number | null => statOf(pid)?.parent ?? null;

/** Fields of /proc/<pid>/stat, after the name in parentheses; times in hundredths of a second. */
function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ").map(Number) ?? [];
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    return { parent, own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
  } catch {
    return null; // exited between listing and reading, or no /proc here
  }
}
