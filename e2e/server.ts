import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { freePort } from "@/lib/tools/launch/postgres.mjs";
import type { CommandOutput } from "@/lib/tools/test/program";

/** The demo password on this server; elsewhere each installation has its own. */
export const demoPassword = "password-of-the-demo-under-test";
const results = path.join(root, "test-results");

/**
 * Starts what `npm start` starts, in its own data folder and on a free port, and a process for admin commands, and
 * stops both after the last test. The specs find them by E2E_URL, E2E_DATA_DIR and E2E_ADMIN_URL. The server's output
 * is in test-results/server.log.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-"));
  Object.assign(process.env, { E2E_URL: `http://localhost:${port}`, E2E_DATA_DIR: dataDir });
  const starts = [startAdminProcess(dataDir, port), startServer(dataDir, port, "server.log")];
  const stop = async () => {
    for (const started of await Promise.allSettled(starts))
      if (started.status === "fulfilled") await started.value.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.all(starts);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/**
 * Runs `npm start` on `dataDir` and `port`, in its own process group. Resolves when the server reports that it is
 * ready. `settings` are added to the environment.
 */
export async function startServer(
  dataDir: string,
  port: number,
  logName: string,
  settings: Record<string, string> = {},
) {
  mkdirSync(results, { recursive: true });
  const log = createWriteStream(path.join(results, logName), { flags: "a" });
  const child = spawn(process.execPath, ["lib/tools/launch/start.mjs"], {
    cwd: root,
    env: { ...serverEnvironment(dataDir, port), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = once(child, "exit");
  let output = "";
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        log.write(text);
        output += text;
        if (/^Ready in/m.test(output)) resolve();
      });
  });
  const endedEarly = ended.then(([code]) => {
    throw new Error(`The server ended (exit ${code}) before it was ready:\n${output}`);
  });
  await Promise.race([ready, endedEarly]);
  endedEarly.catch(() => {}); // from here on its exit is expected
  return {
    /** Sends what Ctrl-C sends. */
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
    /** kill -9 of all its processes, including the database. */
    kill: async () => {
      killGroup(child);
      process.kill(Number.parseInt(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8"), 10), "SIGKILL");
      await ended;
    },
  };
}

/**
 * Runs the admin command on a server's data. Returns its JSON output; rejects with its standard error. `signal` kills
 * it with everything it started.
 */
export async function runAdmin(
  dataDir: string,
  port: number,
  args: string[],
  signal?: AbortSignal,
  settings: Record<string, string> = {},
): Promise<unknown> {
  const env = { ...serverEnvironment(dataDir, port), ...settings };
  return runForJson(["lib/tools/launch/admin.mjs", ...args], env, signal);
}

/**
 * Starts the process that runs the specs' admin commands (admin-process.ts). They find it by E2E_ADMIN_URL. It needs
 * the database only at the first command.
 */
async function startAdminProcess(dataDir: string, port: number) {
  const child = spawn(process.execPath, ["--import", "tsx", "e2e/admin-process.ts"], {
    cwd: root,
    env: serverEnvironment(dataDir, port),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process for admin commands ended (exit ${code}) before it was ready.`);
  });
  const [address] = await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => {}); // from here on its exit is expected
  process.env.E2E_ADMIN_URL = String(address).trim();
  return { stop: async () => void child.kill() };
}

/** Runs an admin command on the server under test, and returns its JSON output. Rejects with its standard error. */
export async function requestAdmin(args: string[]): Promise<unknown> {
  const response = await fetch(process.env.E2E_ADMIN_URL ?? "", {
    method: "POST",
    body: JSON.stringify([...args, "--json"]),
  });
  const { out, err, status } = (await response.json()) as CommandOutput;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${err || out}`);
  return out.trim() === "" ? undefined : JSON.parse(out);
}

/** Runs Node with a program and its arguments. */
async function runForJson(args: string[], env: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<unknown> {
  const child = spawn(process.execPath, [...args, "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const kill = () => killGroup(child);
  signal?.addEventListener("abort", kill);
  child.once("exit", () => signal?.removeEventListener("abort", kill));
  const [out, errorOutput, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${errorOutput || out}`);
  return out.trim() === "" ? undefined : JSON.parse(out);
}

/** kill -9 of a detached child and everything it started. Ignores a group that has already exited. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) throw new Error("The process to kill was never started.");
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The settings of the server under test, without this machine's own. */
export function serverEnvironment(dataDir: string, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // Set even if empty, so that a line of .env doesn't apply.
    DATABASE_URL: "",
    CANDOR_SECRET: "",
    RESEND_API_KEY: "",
    SMTP_URL: "",
    MAIL_FROM: "",
    INNGEST_EVENT_KEY: "",
    INNGEST_SIGNING_KEY: "",
    TRUST_PROXY: "",
    CANDOR_DEMO_PASSWORD: demoPassword,
    // The launcher watches its parent if npm started it. Here the parent is the test run, however that was started.
    npm_lifecycle_event: "test",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    ALLOW_PRIVATE_URLS: "true",
    LOG_LEVEL: "info",
  };
}
