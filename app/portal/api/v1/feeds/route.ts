import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createFeedContract } from "@/lib/feeds/contract";
import { createFeed } from "@/lib/feeds/set-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createFeedContract, async ({ actor, client, body }) => ({ data: await createFeed(actor, client, body) })),
);
