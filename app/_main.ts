import cluster from "node:cluster";
import next from "next";
import { routes } from "@/app/_routes";
import { startJobs, stopJobs } from "@/inngest/jobs";
import { writeKeyUses } from "@/lib/accounts/sign-in/key-uses";
import { lead } from "@/lib/api/lead";
import { createServer } from "@/lib/api/server";
import { startCacheListener } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { env, SettingsError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { awaitDatabase, isKnownDatabase, knowDatabase } from "@/lib/platform/secrets/known-database";
import { checkBucket } from "@/lib/platform/storage/files";
import { loadDetector } from "@/lib/reviews/reviews/detect-language";

// The server: `npm start` runs this. One process by default; PROCESSES starts several that share the port.

/**
 * Serves until told to stop; then finishes what is under way, for at most ten seconds. Until the database has answered, and
 * is found to be the one of these secrets, nothing is answered but that, and no job begins.
 */
async function serve(): Promise<void> {
  const { HOST, PORT, NODE_ENV } = env();
  await knowDatabase({ note: true }).catch((error: unknown) => {
    if (error instanceof SettingsError) throw error; // before anything is prepared; a database that is away is awaited below
  });
  await checkBucket();
  const app = next({ dev: NODE_ENV === "development", dir: process.cwd(), hostname: HOST, port: PORT });
  await Promise.all([app.prepare(), loadDetector()]);
  const stopListening = startCacheListener();
  const handle = app.getRequestHandler();
  const upgrade = NODE_ENV === "development" ? app.getUpgradeHandler() : null;
  const server = createServer(routes, (request, response) => handle(request, response), isKnownDatabase, upgrade);
  await new Promise<void>((resolve) => server.listen(PORT, HOST, resolve));

  const stopping = new AbortController();
  const stop = async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(0), 10_000).unref();
    const closed = new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    await Promise.all([closed, stopJobs(), stopListening()]);
    await app.close();
    await writeKeyUses().catch((error) => log.warn({ err: error }, "could not note the use of API keys"));
    await pool().end();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());

  if (!(await awaitDatabase(stopping.signal))) return;
  await startJobs().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error; // a stop takes the connections away
  });
  log.info({ host: HOST, port: PORT }, "serving");
}

try {
  if (cluster.isPrimary && env().PROCESSES > 1) lead(env().PROCESSES);
  else await serve();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
