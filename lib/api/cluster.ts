import cluster, { type Worker } from "node:cluster";
import { log } from "@/lib/platform/log";

/**
 * Runs `program` as several processes of the server and replaces one that dies, but not one that cannot even start. They
 * share the port and take connections by themselves: one that this process hands to a process that was just killed would
 * stay open, with nobody to answer it. Resolves with the exit code when all have ended.
 */
export function runCluster(count: number, program: string, stop: AbortSignal): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_NONE; // first: the next line settles it
  cluster.setupPrimary({ exec: program });
  const started = new Map<number, number>();
  const fork = () => {
    const worker = cluster.fork();
    started.set(worker.id, Date.now());
  };
  const workers = () => Object.values(cluster.workers ?? {});
  const end = () => {
    for (const worker of workers()) worker?.process.kill("SIGTERM");
  };
  return new Promise((resolve) => {
    let exitCode = 0;
    let stopping = false;
    cluster.on("exit", (worker: Worker, code: number | null, signal: string | null) => {
      // Whatever kills a process did not find it unable to start.
      if (!stopping && signal !== "SIGKILL" && Date.now() - (started.get(worker.id) ?? 0) < 5_000) {
        exitCode = code || 1;
        stopping = true;
        end();
      }
      if (stopping && workers().length === 0) return resolve(exitCode);
      if (stopping) return;
      started.delete(worker.id);
      log.error({ code, signal }, "a server process ended; starting a new one");
      fork();
    });
    stop.addEventListener("abort", () => {
      stopping = true;
      end();
    });
    for (let index = 0; index < count; index += 1) fork();
  });
}
