import { z } from "zod";
import { pool } from "@/lib/db/pool";
import { SettingsError } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { endpoint } from "@/lib/http/contract";
import { isKnownDatabase, knowDatabase } from "@/lib/secrets/known-database";

export const healthContract = endpoint({
  id: "health",
  method: "GET",
  path: "/api/health",
  tag: "Service",
  summary: "Whether the service and its database answer",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
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
