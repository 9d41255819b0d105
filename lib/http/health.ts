import { z } from "zod";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { endpoint } from "@/lib/http/contract";

export const healthContract = endpoint({
  id: "health",
  method: "GET",
  path: "/api/health",
  tag: "Service",
  summary: "Whether the service and its database answer",
  auth: "public",
  response: z.object({ status: z.literal("ok") }),
});

/** `ok` when the database answers within two seconds; `unavailable` otherwise. */
export async function checkHealth(): Promise<{ status: "ok" }> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, 2_000, new Error("no answer within two seconds")).unref();
  });
  try {
    await Promise.race([pool().query("select 1"), late]);
  } catch (cause) {
    throw new AppError("unavailable", "The database does not answer.", { cause, headers: { "Retry-After": "2" } });
  }
  return { status: "ok" };
}
