import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { runFeedContract } from "@/lib/feeds/contract";
import { runFeedNow } from "@/lib/feeds/request-run";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(runFeedContract, async ({ client, params, body }) => ({
    data: await runFeedNow(client, params.id, { confirmDeletions: body.confirm_deletions }),
  })),
);
