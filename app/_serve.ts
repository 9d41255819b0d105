import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import next from "next";
import { routes } from "@/app/_routes";
import { startJobs, stopJobs } from "@/inngest/jobs";
import { writeKeyUses } from "@/lib/accounts/sign-in/key-uses";
import { createServer } from "@/lib/api/server";
import { startCacheListener } from "@/lib/platform/db/cache";
import { pool } from "@/lib/platform/db/pool";
import { env, SettingsError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { checkDatabase, isDatabaseChecked, waitForDatabase } from "@/lib/platform/secrets/check-database";
import { checkBucket } from "@/lib/platform/storage/files";

/**
 * Serves until `stop` aborts; then finishes running requests within ten seconds. Until the database responds and is
 * known to match this secret, answers only health checks and starts no jobs.
 */
export async function serve(stop: AbortSignal): Promise<void> {
  const { HOST, PORT, NODE_ENV } = env();
  await checkDatabase({ note: true }).catch((error: unknown) => {
    if (error instanceof SettingsError) throw error; // before any preparation; an unavailable database is awaited below
  });
  await checkBucket();
  const app = next({ dev: NODE_ENV === "development", dir: process.cwd(), hostname: HOST, port: PORT });
  await app.prepare();
  const stopListening = startCacheListener();
  const handle = app.getRequestHandler();
  const upgrade = NODE_ENV === "development" ? app.getUpgradeHandler() : null;
  const server = createServer(routes, (request, response) => handle(request, response), isDatabaseChecked, upgrade);
  await new Promise<void>((resolve) => server.listen(PORT, HOST, resolve));

  const finish = async () => {
    const closed = new Promise((resolve) => {
      server.close(resolve);
      server.closeIdleConnections();
    });
    await Promise.all([closed, stopJobs(), stopListening()]);
    await app.close();
    await writeKeyUses().catch((error) => log.warn({ err: error }, "could not record API key usage"));
    await pool().end();
  };
  const finished = (stop.aborted ? Promise.resolve() : once(stop, "abort")).then(() =>
    Promise.race([finish(), sleep(10_000)]),
  );
  if (await waitForDatabase(stop)) {
    await startJobs(stop).catch((error: unknown) => {
      if (!stop.aborted) throw error; // stopping closes the connections and starts nothing else
    });
    log.info({ host: HOST, port: PORT }, "serving");
  }
  await finished;
}
