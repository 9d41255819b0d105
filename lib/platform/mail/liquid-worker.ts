import { createHash } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { MAX_RENDER_MS } from "@/lib/platform/mail/liquid-engine.mjs";
import type { Answer, Part, Task } from "@/lib/platform/mail/liquid-thread.mjs";
import { perProcess } from "@/lib/platform/process";

// Clients' templates are filled in by a thread of their own, which is ended where it takes too long or too much memory:
// the engine's own limits do not look into single tags, and one of those can take minutes.

/** Milliseconds by the clock after which the thread is ended. */
export const DEADLINE_MS = 2_000;
/** What the thread may have of memory. */
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };
/** Milliseconds in which a thread must have begun, on however busy a machine. */
const START_MS = 60_000;
/** A template that took too long is not tried again in emails for so long: each of them would keep all others waiting. */
const BLOCKED_MS = 600_000;

/** As the template engine says it. */
export const TOO_SLOW = "template render limit exceeded";

/** What is tried by people does not keep mails waiting. */
type Lane = "mails" | "trials";

/** What became of a part, and the processor's milliseconds that it took. */
export type RenderResult = ({ text: string } | { error: string }) & { took: number };

/** Fills in a part of a mail, in the milliseconds that `budget` has left, of which it takes off what it took. */
export async function renderInWorker(lane: Lane, part: Part, budget = { left: MAX_RENDER_MS }): Promise<RenderResult> {
  const ended = perProcess("liquid-ended", () => new LRUCache<string, true>({ max: 1_000, ttl: BLOCKED_MS }));
  const key = createHash("sha256").update(part.template).digest("base64");
  if (lane === "mails" && ended.has(key)) return { error: TOO_SLOW, took: 0 };
  const answer = await threadOf(lane).run({ part, most: budget.left });
  const filled: RenderResult = answer && !("names" in answer) ? answer : { error: TOO_SLOW, took: DEADLINE_MS };
  if (filled.took > MAX_RENDER_MS) ended.set(key, true);
  budget.left -= filled.took;
  return filled;
}

/** The names of variables that a template asks for, without those it sets itself. Throws what it is at fault for. */
export async function variablesOf(template: string): Promise<string[]> {
  const answer = await threadOf("trials").run({ template });
  if (answer && "names" in answer) return answer.names;
  throw new Error(answer && "error" in answer ? answer.error : TOO_SLOW);
}

const threadOf = (lane: Lane): Thread => perProcess(`liquid-thread:${lane}`, () => new Thread());

/** Does one thing at a time, in the order in which they were asked for. */
class Thread {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** Null where the thread had to be ended. */
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
    // By its path, as it is: the bundler would make another file of it.
    const file = path.join(/* turbopackIgnore: true */ process.cwd(), "lib/platform/mail/liquid-thread.mjs");
    // Nothing of this process's settings, and none of its secrets.
    const worker = new Worker(/* turbopackIgnore: true */ file, { env: {}, execArgv: [], resourceLimits: MEMORY });
    worker.once("exit", () => {
      if (this.#worker === worker) this.#worker = null;
    });
    worker.on("error", () => undefined); // told to whoever waits for its word
    await nextMessage(worker, START_MS);
    this.#worker = worker;
    return worker;
  }
}

/** The next thing that a thread says; throws where it ends, or says nothing in time. */
async function nextMessage(worker: Worker, most: number): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  // What was said while this process was busy itself comes before the end of the time.
  const timer = setTimeout(() => setImmediate(() => waiting.abort()), most);
  try {
    const ended = once(worker, "exit", { signal }).then(() => {
      throw new Error("The thread ended.");
    });
    ended.catch(() => undefined);
    const [message] = await Promise.race([once(worker, "message", { signal }), ended]);
    return message;
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}
