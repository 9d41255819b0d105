import { checkSpace } from "@/lib/platform/db/out-of-space";
import { pool } from "@/lib/platform/db/pool";
import { SettingsError } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { countFailingJobs } from "@/lib/platform/jobs/job-failures";
import { checkDatabase, isDatabaseChecked } from "@/lib/platform/secrets/check-database";
import { checkStore, storeUnavailable } from "@/lib/platform/storage/files";

async function pingDatabase(): Promise<void> {
  if (isDatabaseChecked()) await pool().query("select 1");
  else await checkDatabase();
}

/** Rejects if the check takes longer than two seconds. */
function withTimeout(check: Promise<void>): Promise<void> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, 2_000, new Error("no response within two seconds")).unref();
  });
  return Promise.race([check, timeout]);
}

/** `ok` if the database and the file store each respond within two seconds; throws `unavailable` otherwise. */
export async function checkHealth(): Promise<{ status: "ok" }> {
  try {
    await withTimeout(pingDatabase());
  } catch (cause) {
    if (cause instanceof SettingsError)
      throw new AppError("unavailable", { reason: "foreign_secrets", cause, headers: { "Retry-After": "60" } });
    throw new AppError("unavailable", { reason: "database_away", cause, headers: { "Retry-After": "2" } });
  }
  await checkSpace();
  await withTimeout(checkStore()).catch((error) => {
    throw error instanceof AppError ? error : storeUnavailable(error);
  });
  return { status: "ok" };
}

/** {@link checkHealth}, and what fails in background work. */
export async function checkReadiness(): Promise<{
  status: "ok";
  details: { failing_jobs: { job: string; failing: number }[] };
}> {
  const { status } = await checkHealth();
  return { status, details: { failing_jobs: await countFailingJobs() } };
}
