import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listViewsContract, saveViewContract } from "@/lib/moderation/queue/contract";
import { listViews, saveView } from "@/lib/moderation/queue/views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listViewsContract, async ({ actor, client }) => ({ data: await listViews(actor, client) })),
  route(saveViewContract, async ({ actor, client, body }) => ({ data: await saveView(actor, client, body) })),
);
