import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { retryRunContract } from "@/lib/platform/jobs/contract";
import { retryRun } from "@/lib/platform/jobs/retry-run";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(retryRunContract, async ({ params }) => {
    await retryRun(params.id);
    return undefined;
  }),
);
