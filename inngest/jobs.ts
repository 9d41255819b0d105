import { externalFunctions, functions } from "@/inngest";
import { inngest, serveOptions, usesInngest } from "@/inngest/client";
import { reclaimLeases } from "@/lib/integrations/reclaim-leases";
import { startEngine, stopEngine } from "@/lib/platform/jobs/engine";
import { startRelay } from "@/lib/platform/jobs/outbox/relay";
import { startRegistration } from "@/lib/platform/jobs/register";
import { type RunFunctionOptions, type RunReport, runFunction } from "@/lib/platform/jobs/run-function";

const app = { client: inngest, functions, outside: externalFunctions };
let stops: (() => Promise<void>)[] = [];

/**
 * Starts what does the later work in this process. With Inngest's keys set: tells it of the functions, sends it the
 * facts, and ends what was begun on the embedded engine before. Else the embedded engine does all. Any number of
 * processes may do so. Throws when the database is away, and when `stop` aborts before anything is started.
 */
export async function startJobs(stop?: AbortSignal): Promise<void> {
  const toInngest = usesInngest();
  await reclaimLeases({ stop });
  stop?.throwIfAborted();
  await startEngine(app, { drainOnly: toInngest });
  if (!toInngest || stops.length > 0) return;
  stops = [startRegistration(app, serveOptions()), startRelay((events) => inngest.send(events))];
}

/** Stops it: steps under way get a few seconds to end, the rest is taken up again by whoever starts next. */
export async function stopJobs(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  await stopEngine();
}

/** Runs one scheduled function once, in this process; see lib/platform/jobs/run-function.ts. */
export const runJob = (name: string, options?: RunFunctionOptions): Promise<RunReport> =>
  runFunction(app, name, options);
