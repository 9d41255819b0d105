import { createFeedContract } from "@/lib/feeds/contract";
import { createFeed } from "@/lib/feeds/set-feed";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createFeedContract, async ({ actor, client, body }) => ({ data: await createFeed(actor, client, body) })),
);
