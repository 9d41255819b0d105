import cluster from "node:cluster";
import { runCluster } from "@/lib/api/cluster";
import { env, SettingsError } from "@/lib/platform/env";

// The server. In production `npm start` runs it in its own process; otherwise this file is the program.

/**
 * Serves until `stop` aborts. Runs one process by default; PROCESSES starts several that share the port. Resolves with
 * the exit code.
 */
export async function run(stop: AbortSignal): Promise<number> {
  const { PROCESSES } = env();
  if (cluster.isPrimary && PROCESSES > 1) return runCluster(PROCESSES, import.meta.filename, stop);
  process.setSourceMapsEnabled(true);
  // Imported here because the cluster's primary process doesn't need it.
  const { serve } = await import("@/app/_serve");
  await serve(stop);
  return 0;
}

if (import.meta.main) {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => stopping.abort());
  try {
    process.exit(await run(stopping.signal));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
