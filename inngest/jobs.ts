import { externalFunctions, functions, renamed } from "@/inngest";
import { inngest, serveOptions, usesInngest } from "@/inngest/client";
import { appendBatch } from "@/lib/honesty/append-entries";
import { reclaimLeases } from "@/lib/integrations/reclaim-leases";
import { startEngine, stopEngine } from "@/lib/platform/jobs/engine";
import { repeat } from "@/lib/platform/jobs/loop";
import { startRelay } from "@/lib/platform/jobs/outbox/relay";
import { startRegistration } from "@/lib/platform/jobs/register";
import { type RunJobOptions, type RunReport, runJobNow } from "@/lib/platform/jobs/run-job-now";
import { WakeSignal } from "@/lib/platform/jobs/wake";

const app = { client: inngest, functions, outside: externalFunctions, renamed };
let stops: (() => Promise<void>)[] = [];

/**
 * Starts job processing in this process. With Inngest: registers the functions, relays outbox events, and finishes runs
 * that started on the embedded engine. Otherwise the embedded engine does everything. Any number of processes may run
 * it. Throws if the database is unavailable, or if `stop` aborts before anything has started.
 */
export async function startJobs(stop?: AbortSignal): Promise<void> {
  const toInngest = usesInngest();
  await reclaimLeases({ stop });
  stop?.throwIfAborted();
  await startEngine(app, { drainOnly: toInngest });
  if (stops.length > 0) return;
  stops = [startLog()];
  if (toInngest)
    stops.push(
      startRegistration(app, serveOptions()),
      startRelay((events) => inngest.send(events)),
    );
}

/**
 * Appends to the stores' logs what was decided, until the returned function is called: a batch a second, so that after a
 * large import the logs take minutes to catch up instead of the requests' time.
 */
function startLog(): () => Promise<void> {
  const stopped = new AbortController();
  const loop = repeat("log", appendBatch, {
    milliseconds: 1_000,
    signal: new WakeSignal(),
    stopped: stopped.signal,
  });
  return async () => {
    stopped.abort();
    await loop;
  };
}

/** Stops it: running steps get a few seconds to finish, the rest is resumed by the next start. */
export async function stopJobs(): Promise<void> {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  await stopEngine();
}

/** Runs one scheduled function once in this process; see lib/platform/jobs/run-job-now.ts. */
export const runJob = (name: string, options?: RunJobOptions): Promise<RunReport> => runJobNow(app, name, options);
