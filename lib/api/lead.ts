import cluster, { type Worker } from "node:cluster";
import { log } from "@/lib/platform/log";

/**
 * Starts the processes of the server and replaces one that dies, but not one that cannot even start. They share the port
 * and take connections by themselves: one that this process hands to a process that was just killed would stay open, with
 * nobody to answer it.
 */
export function lead(count: number): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let stopping = false;
  const started = new Map<number, number>();
  const fork = () => {
    const worker = cluster.fork();
    started.set(worker.id, Date.now());
  };
  for (let index = 0; index < count; index += 1) fork();
  cluster.on("exit", (worker: Worker, code: number | null, signal: string | null) => {
    if (stopping) {
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
      return;
    }
    // Whatever kills a process did not find it unable to start.
    if (signal !== "SIGKILL" && Date.now() - (started.get(worker.id) ?? 0) < 5_000) process.exit(code || 1);
    started.delete(worker.id);
    log.error({ code, signal }, "a process of the server ended; starting another");
    fork();
  });
  const stop = () => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
