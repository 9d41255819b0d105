import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { deleteFeedContract, updateFeedContract } from "@/lib/feeds/contract";
import { deleteFeed, updateFeed } from "@/lib/feeds/set-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(updateFeedContract, async ({ actor, client, params, body }) => ({
    data: await updateFeed(actor, client, params.id, body),
  })),
  route(deleteFeedContract, async ({ actor, client, params }) => {
    await deleteFeed(actor, client, params.id);
    return undefined;
  }),
);
