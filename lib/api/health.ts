import { z } from "zod";
import { pool } from "@/lib/platform/db/pool";
import { checkSpace } from "@/lib/platform/db/space";
import { SettingsError } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { endpoint } from "@/lib/platform/http/contract";
import { countFailingJobs } from "@/lib/platform/jobs/job-failures";
import { isKnownDatabase, knowDatabase } from "@/lib/platform/secrets/known-database";

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
    "A full disk does: 503 while there is no room to store anything. " +
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

/** `ok` when the database answers within two seconds, and is the one of these secrets; `unavailable` otherwise. */
export async function checkHealth(): Promise<{ status: "ok" }> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, 2_000, new Error("no answer within two seconds")).unref();
  });
  try {
    await Promise.race([ask(), late]);
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
  return { status, details: { failing_jobs: await countFailingJobs() } };
}
