import { transaction } from "@/lib/platform/db/pool";
import { claimNextRuns, claimOutsideRuns, type Executor, executeRun } from "@/lib/platform/jobs/execute-run";
import type { Slots } from "@/lib/platform/jobs/fair-share";
import { type Jobs, type JobsApp, readJobs } from "@/lib/platform/jobs/functions";
import { repeat } from "@/lib/platform/jobs/loop";
import { relayToEngine } from "@/lib/platform/jobs/outbox/relay";
import { closeQueue, openQueue } from "@/lib/platform/jobs/queue";
import { startDueSlots, startMissedSlots } from "@/lib/platform/jobs/schedule";
import { EngineSession } from "@/lib/platform/jobs/session";
import { WakeSignal, wakeSignal } from "@/lib/platform/jobs/wake";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import { type ClaimedRun, recoverRuns } from "./sql";

export type EngineOptions = {
  /** milliseconds to wait after failed attempt number `attempt` (0 = the first) */
  backoff?: (attempt: number) => number;
  /** maximum concurrent runs: own work, and runs that wait for other systems */
  slots?: { own: number; outside: number };
  /** milliseconds that a stop waits for running steps */
  stopTimeoutMs?: number;
  /** only finish existing runs: outbox events, schedules and events of those runs go to Inngest */
  drainOnly?: boolean;
};

/** A run that waits for another system costs little, so there are more of these slots. */
const SLOTS = { own: 10, outside: 24 };

/**
 * The embedded engine: runs Inngest functions durably on PostgreSQL alone. Calls the SDK's request handler in process
 * by the SDK's protocol, stores runs and finished steps in job_runs and job_steps, and polls due runs from pg-boss. Any
 * number of engines can share a database; if one dies, others take over its runs.
 */
export class Engine {
  readonly #jobs: Jobs;
  readonly #options: EngineOptions;
  readonly #session = new EngineSession();
  readonly #stopped = new AbortController();
  readonly #active = new Map<string, number>();
  #loops: Promise<void>[] = [];
  readonly #running = { own: new Set<Promise<unknown>>(), outside: new Set<Promise<unknown>>() };

  private constructor(jobs: Jobs, options: EngineOptions) {
    this.#jobs = jobs;
    this.#options = options;
  }

  /**
   * Starts an engine for these functions. Throws if the database is unavailable or a function uses an unsupported
   * option.
   */
  static async start(app: JobsApp, options: EngineOptions = {}): Promise<Engine> {
    const engine = new Engine(await readJobs(app), options);
    await openQueue({ keeper: true });
    await engine.#session.open();
    await engine.#startLoops();
    return engine;
  }

  async #startLoops(): Promise<void> {
    const stopped = this.#stopped.signal;
    await this.#recover();
    this.#loops = [
      repeat("runs", () => this.#fetch(), { milliseconds: 500, signal: wakeSignal("runs"), stopped }),
      repeat("recovery", () => this.#recover(), { milliseconds: 2_000, signal: new WakeSignal(), stopped }),
    ];
    if (this.#options.drainOnly) return;
    let scheduled = new Date();
    await startMissedSlots(this.#jobs, scheduled);
    const schedule = async () => {
      const until = new Date();
      await startDueSlots(this.#jobs, scheduled, until);
      scheduled = until;
    };
    const relay = async () => {
      if ((await relayToEngine(this.#jobs)) > 0) wakeSignal("runs").wake();
    };
    this.#loops.push(
      repeat("outbox", relay, { milliseconds: 1_000, signal: wakeSignal("outbox"), stopped }),
      repeat("schedule", schedule, { milliseconds: 1_000, signal: new WakeSignal(), stopped }),
    );
  }

  /** Claims runs while there are free slots and due runs. */
  async #fetch(): Promise<void> {
    const executor: Executor = {
      jobs: this.#jobs,
      engine: () => this.#session.number,
      stopping: () => this.#stopped.signal.aborted,
      backoff: this.#options.backoff,
      active: this.#active,
      sendsToInngest: this.#options.drainOnly,
    };
    const seen: string[] = [];
    await this.#fetchKind("own", executor, ({ free }) => claimNextRuns(free, executor));
    await this.#fetchKind("outside", executor, (slots) => claimOutsideRuns(slots, seen, executor));
  }

  async #fetchKind(
    kind: "own" | "outside",
    executor: Executor,
    take: (slots: Slots) => Promise<ClaimedRun[] | null>,
  ): Promise<void> {
    const running = this.#running[kind];
    while (!this.#stopped.signal.aborted) {
      const all = (this.#options.slots ?? SLOTS)[kind];
      const free = all - running.size;
      const claimed = free > 0 ? await take({ all, free }) : null;
      if (claimed === null) return;
      for (const run of claimed) this.#execute(run, executor, running);
    }
  }

  #execute(run: ClaimedRun, executor: Executor, running: Set<Promise<unknown>>): void {
    const work = executeRun(run, executor)
      .catch((error) => log.error({ err: error, run: run.id }, "a run was released and will be resumed"))
      .finally(() => {
        running.delete(work);
        wakeSignal("runs").wake();
      });
    running.add(work);
  }

  async #recover(): Promise<void> {
    const number = this.#session.number;
    if (number === null) return;
    const recovered = await transaction((db) => recoverRuns(db, number, (runId) => this.#active.has(runId)));
    for (const run of recovered) log.warn({ run: run.id, function: run.functionId }, "resuming a run after a crash");
    if (recovered.length > 0) wakeSignal("runs").wake();
  }

  /**
   * Stops: starts no new runs and requeues current ones between two steps. Steps that exceed the timeout are left to
   * another engine, which repeats them.
   */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#loops);
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, this.#options.stopTimeoutMs ?? 8_000).unref());
    await Promise.race([Promise.all([...this.#running.own, ...this.#running.outside]), timeout]);
    await this.#session.close();
    await closeQueue();
  }
}

const current = () => perProcess("jobs-engine", () => ({ engine: null as Promise<Engine> | null }));

/** Starts this process's engine; later calls return the same one. Throws like {@link Engine.start}. */
export function startEngine(app: JobsApp, options?: EngineOptions): Promise<Engine> {
  const holder = current();
  holder.engine ??= Engine.start(app, options).catch((error) => {
    holder.engine = null;
    throw error;
  });
  return holder.engine;
}

/** Stops this process's engine, if it is running. */
export async function stopEngine(): Promise<void> {
  const holder = current();
  const engine = await holder.engine;
  holder.engine = null;
  await engine?.stop();
}
