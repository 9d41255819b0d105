import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { closeQueue } from "@/lib/platform/jobs/queue";
import { isThreadName } from "@/lib/platform/mail/liquid-worker";
import { closeSmtpPools } from "@/lib/platform/mail/smtp";
import { instances } from "@/lib/platform/process";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { adminCommand } from "@/lib/tools/launch/prepare.mjs";
import { closePools } from "@/lib/tools/test/close-pools";
import { withSettings } from "@/lib/tools/test/with-settings";

/** A process on the same database, to be killed or awaited. */
export type TestProcess = {
  /** resolves with its first output; servers print a line when they listen */
  ready: () => Promise<unknown>;
  /** kill -9, and waits until it is gone; no effect after it has ended */
  kill: () => Promise<void>;
  /** resolves when it ends: its exit code, null if it was killed */
  ended: Promise<number | null>;
};

const running = new Set<TestProcess>();

/** Kills everything that this test file has started and that still runs. */
export const killPrograms = async (): Promise<void> => {
  await Promise.all([...running].map(({ kill }) => kill()));
};

/**
 * Starts a TypeScript file of the project, by its path from the root, with `env` added to this process's environment.
 */
export function startProgram(file: string, args: string[] = [], env: Record<string, string> = {}): TestProcess {
  // Its standard input closes when this process ends, however that happens: a program that would run forever watches
  // it.
  const child = spawn(process.execPath, argumentsOf(file, args), {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const firstOutput = once(child.stdout.resume(), "data");
  firstOutput.catch(() => undefined); // its rejection matters only to callers of ready()
  const program: TestProcess = {
    ready: () =>
      Promise.race([firstOutput, ended.then((code) => Promise.reject(new Error(`${file} ended with ${code}.`)))]),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
  running.add(program);
  void ended.then(() => running.delete(program));
  return program;
}

const argumentsOf = (file: string, args: string[]): string[] => ["--import", "tsx", path.join(root, file), ...args];

/** A command's output and exit code (null if it was killed). */
export type CommandOutput = { out: string; err: string; status: number | null };

/**
 * Starts the built admin command (cluster.ts); `input` is its standard input, `env` is added to this process's
 * environment.
 */
export function startAdmin(
  args: string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [...adminCommand, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: "pipe",
  });
  child.stdin.end(input);
  const closed = once(child, "close").then(([code]) => code as number | null);
  const output: Promise<CommandOutput> = Promise.all([text(child.stdout), text(child.stderr), closed]).then(
    ([out, err, status]) => ({ out, err, status }),
  );
  return { child, printed: output };
}

let isCapturing = false;

/**
 * Runs the admin command (`run` of app/_admin-commands.ts) in this process: starting one takes longer than most
 * commands. It gets the input and settings that {@link startAdmin} passes, and its own connections and caches. Only one
 * can run at a time: it replaces this process's output and settings.
 */
export async function captureAdmin(
  run: (argv: string[]) => Promise<void>,
  args: string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<CommandOutput> {
  if (isCapturing) throw new Error("A command is already running in this process: use startAdmin() for a second one.");
  isCapturing = true;
  const { stdin, exitCode } = process;
  const writes = { out: process.stdout.write, err: process.stderr.write };
  const written = { out: "", err: "" };
  const collectInto = (name: "out" | "err") =>
    ((text: string | Uint8Array, done?: () => void) => {
      written[name] += Buffer.from(text as Uint8Array).toString();
      done?.();
      return true;
    }) as typeof process.stdout.write;
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([input]) });
  process.stdout.write = collectInto("out");
  process.stderr.write = collectInto("err");
  process.exitCode = 0;
  try {
    await withSettings(env, () => withOwnInstances(() => run(["node", "admin", ...args])));
    return { ...written, status: Number(process.exitCode) };
  } finally {
    process.stdout.write = writes.out;
    process.stderr.write = writes.err;
    process.exitCode = exitCode;
    Object.defineProperty(process, "stdin", { configurable: true, value: stdin });
    isCapturing = false;
  }
}

/**
 * Runs `work` with new connections and caches, as in another process, and closes the connections that it leaves to the
 * end of its process. The threads that render templates are shared: they get no settings.
 */
async function withOwnInstances<T>(work: () => Promise<T>): Promise<T> {
  const outer = [...instances()];
  for (const [name] of outer) if (!isThreadName(name)) instances().delete(name);
  try {
    return await work();
  } finally {
    try {
      await closeConnections();
    } finally {
      const threads = [...instances()].filter(([name]) => isThreadName(name));
      instances().clear();
      for (const [name, instance] of [...outer, ...threads]) instances().set(name, instance);
    }
  }
}

async function closeConnections(): Promise<void> {
  try {
    await closeQueue();
  } finally {
    try {
      closeSmtpPools();
    } finally {
      await closePools();
    }
  }
}
