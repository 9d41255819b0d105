import { functions } from "@/inngest";
import { inngest, onInngest } from "@/inngest/client";
import { startEngine, stopEngine } from "@/lib/jobs/engine";
import { type RunFunctionOptions, type RunReport, runFunction } from "@/lib/jobs/run-function";
import { startRelay } from "@/lib/outbox/start-relay";

const app = { client: inngest, functions };
let stopRelay: (() => Promise<void>) | null = null;

/**
 * Starts what does the later work in this process: with Inngest's keys set only the relay that sends it the facts, else
 * the embedded engine. Any number of processes may do so. Throws when the database is away.
 */
export async function startJobs(): Promise<void> {
  if (!onInngest()) await startEngine(app);
  else stopRelay ??= startRelay((events) => inngest.send(events));
}

/** Stops it: steps under way get a few seconds to end, the rest is taken up again by whoever starts next. */
export async function stopJobs(): Promise<void> {
  await stopRelay?.();
  stopRelay = null;
  await stopEngine();
}

/** Runs one scheduled function once, in this process; see lib/jobs/run-function.ts. */
export const runJob = (name: string, options?: RunFunctionOptions): Promise<RunReport> =>
  runFunction(app, name, options);
