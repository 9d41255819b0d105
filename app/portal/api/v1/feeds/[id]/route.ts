import { deleteFeedContract, updateFeedContract } from "@/lib/feeds/contract";
import { deleteFeed, updateFeed } from "@/lib/feeds/set-feed";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(updateFeedContract, async ({ actor, client, params, body }) => ({
    data: await updateFeed(actor, client, params.id, body),
  })),
  route(deleteFeedContract, async ({ actor, client, params }) => {
    await deleteFeed(actor, client, params.id);
    return undefined;
  }),
);
