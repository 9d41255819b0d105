import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { retryRunContract } from "@/lib/jobs/contract";
import { retryRun } from "@/lib/jobs/retry-run";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(retryRunContract, async ({ params }) => {
    await retryRun(params.id);
    return undefined;
  }),
);
