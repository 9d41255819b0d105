import { createHash } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import type { Answer, Part, Task } from "@/lib/platform/mail/liquid-thread.mjs";
import { perProcess } from "@/lib/platform/process";

// Clients' templates are rendered in a worker thread, which is terminated if it takes too long or too much memory: the
// engine checks its limits only between tags, and a single tag can take minutes.

/** Maximum CPU milliseconds of all parts of an email, parsing included: independent of the machine's load. */
export const MAX_RENDER_MS = 250;
/** Elapsed milliseconds after which the thread is terminated, later than the engine stops between tags. */
const DEADLINE_MS = 2_000;
/** Memory limits of the thread. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** Milliseconds for a thread to start, on a busy machine. */
const START_MS = 60_000;
/** Milliseconds for which emails don't try a template that took too long: each would delay all others. */
const BLOCKED_MS = 600_000;

/** The template engine's message. */
const TOO_SLOW = "template render limit exceeded";

/** Trials by people don't delay emails. */
type Lane = "mails" | "trials";

/** The result of rendering a part, and the CPU milliseconds it took. */
export type RenderResult = ({ text: string } | { error: string; isTooSlow: boolean }) & { took: number };

/** Renders a part of an email within `budget.left` CPU milliseconds, and deducts the time it took. */
export async function renderInWorker(lane: Lane, part: Part, budget = { left: MAX_RENDER_MS }): Promise<RenderResult> {
  const ended = perProcess("liquid-ended", () => new LRUCache<string, true>({ max: 1_000, ttl: BLOCKED_MS }));
  const key = createHash("sha256").update(part.template).digest("base64");
  const tooSlow = (took: number) => ({ error: TOO_SLOW, isTooSlow: true, took });
  if (lane === "mails" && ended.has(key)) return tooSlow(0);
  const answer = await threadOf(lane).run({ part });
  const took = answer?.took ?? DEADLINE_MS;
  if (took > MAX_RENDER_MS) ended.set(key, true);
  budget.left -= took;
  if (!answer || "names" in answer || budget.left < 0) return tooSlow(took);
  // The engine's limit is of elapsed time, so a busy machine can exceed it with little CPU time.
  return "error" in answer ? { ...answer, isTooSlow: /render limit/.test(answer.error) } : answer;
}

/** The names of variables that a template uses, without those it sets. Throws the template's error. */
export async function variablesOf(template: string): Promise<string[]> {
  const answer = await threadOf("trials").run({ template });
  if (answer && "names" in answer) return answer.names;
  throw new Error(answer && "error" in answer ? answer.error : TOO_SLOW);
}

const THREAD = "liquid-thread:";
const threadOf = (lane: Lane): Thread => perProcess(`${THREAD}${lane}`, () => new Thread());

/** Whether an instance of this process (`platform/process.ts`) is such a thread, for tests. */
export const isThreadName = (name: string): boolean => name.startsWith(THREAD);

/** Runs one task at a time, in order. */
class Thread {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** Null if the thread had to be terminated. */
  run(task: Task): Promise<Answer | null> {
    const answer = this.#last.then(() => this.#do(task));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #do(task: Task): Promise<Answer | null> {
    const worker = this.#worker ?? (await this.#start());
    worker.ref();
    try {
      worker.postMessage(task);
      return (await nextMessage(worker, DEADLINE_MS)) as Answer;
    } catch {
      this.#worker = null;
      await worker.terminate();
      return null;
    } finally {
      worker.unref();
    }
  }

  async #start(): Promise<Worker> {
    // By path: the bundler must not transform this file.
    const file = path.join(/* turbopackIgnore: true */ process.cwd(), "lib/platform/mail/liquid-thread.mjs");
    // The thread gets no settings or secrets of this process.
    const worker = new Worker(/* turbopackIgnore: true */ file, { env: {}, execArgv: [], resourceLimits: MEMORY });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.on("error", () => undefined); // the waiting call gets the error
    await nextMessage(worker, START_MS);
    this.#worker = worker;
    return worker;
  }
}

/** The next message of a thread. Throws if it exits or times out. */
async function nextMessage(worker: Worker, maxMs: number): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  // Messages received while this process was busy are handled before the timeout.
  const timer = setTimeout(() => setImmediate(() => controller.abort()), maxMs);
  try {
    const ended = once(worker, "exit", { signal }).then(() => {
      throw new Error("The thread ended.");
    });
    ended.catch(() => undefined);
    const [message] = await Promise.race([once(worker, "message", { signal }), ended]);
    return message;
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
