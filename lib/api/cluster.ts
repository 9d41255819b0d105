import cluster, { type Worker } from "node:cluster";
import { log } from "@/lib/platform/log";

/**
 * Runs `program` as several server processes and replaces one that dies, unless it can't even start. Workers share the
 * port and accept connections themselves: a connection passed to a worker that was just killed would stay open without
 * an answer. Resolves with the exit code when all have ended.
 */
export function runCluster(count: number, program: string, stop: AbortSignal): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_NONE; // must come first: `setupPrimary` fixes the policy
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
      // A killed process (SIGKILL) doesn't mean that it can't start.
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
