import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";

export const retryRunContract = endpoint({
  id: "portal.jobs.retry",
  method: "POST",
  path: "/portal/api/v1/jobs/{id}/retry",
  tag: "Portal",
  summary: "Retry a failed job from the failed step",
  auth: "session",
  role: "operator",
  client: "none",
  params: z.object({ id: z.string() }),
  status: 204,
  errors: ["conflict"],
});
