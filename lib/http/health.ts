import { z } from "zod";
import { pool } from "@/lib/db/pool";
import { checkSpace } from "@/lib/db/space";
import { SettingsError } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { endpoint } from "@/lib/http/contract";
import { countFailingJobs } from "@/lib/jobs/job-failures";
import { isKnownDatabase, knowDatabase } from "@/lib/secrets/known-database";
import { checkStore, storeAway } from "@/lib/storage/files";

export const healthContract = endpoint({
  id: "health",
  method: "GET",
  path: "/api/health",
  tag: "Service",
  summary: "Whether the service and its database answer",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
});

export const readyContract = endpoint({
  id: "health.ready",
  method: "GET",
  path: "/api/health/ready",
  tag: "Service",
  summary: "Whether the service can take requests, and which of its jobs fail",
  description:
    "A failing job does not take the service out of traffic: it is named in `details` and the status stays 200. " +
    "A full disk does, and so does a file store that can't be used: 503 while nothing can be stored. " +
    "For load balancers and monitoring; it names no stores.",
  auth: "public",
  response: z.object({
    status: z.literal("ok"),
    details: z.object({
      failing_jobs: z
        .array(
          z.object({
            job: z.string().meta({ description: "The job's function, as `jobs list` shows it." }),
            failing: z
              .int()
              .meta({ description: "For how many stores, feeds, webhooks, integrations or people it fails." }),
          }),
        )
        .meta({ description: "Jobs whose last run failed for good. A job leaves the list once it succeeds." }),
    }),
  }),
});

async function ask(): Promise<void> {
  if (isKnownDatabase()) await pool().query("select 1");
  else await knowDatabase();
}

/** Throws where `asked` takes longer than two seconds. */
function soon(asked: Promise<void>): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, 2_000, new Error("no answer within two seconds")).unref();
  });
  return Promise.race([asked, late]);
}

/** `ok` when the database answers within two seconds, and is the one of these secrets; `unavailable` otherwise. */
export async function checkHealth(): Promise<{ status: "ok" }> {
  try {
    await soon(ask());
  } catch (cause) {
    if (cause instanceof SettingsError)
      throw new AppError("unavailable", "The secrets that are set are not this database's.", {
        cause,
        headers: { "Retry-After": "60" },
      });
    throw new AppError("unavailable", "The database does not answer.", { cause, headers: { "Retry-After": "2" } });
  }
  return { status: "ok" };
}

/** {@link checkHealth}, and what fails of the work that no request waits for. */
export async function checkReadiness(): Promise<{
  status: "ok";
  details: { failing_jobs: { job: string; failing: number }[] };
}> {
  const { status } = await checkHealth();
  await checkSpace();
  await soon(checkStore()).catch((error) => {
    throw error instanceof AppError ? error : storeAway(error);
  });
  return { status, details: { failing_jobs: await countFailingJobs() } };
}
