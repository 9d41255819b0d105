import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listViewsContract, saveViewContract } from "@/lib/queue/contract";
import { listViews, saveView } from "@/lib/queue/views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listViewsContract, async ({ actor, client }) => ({ data: await listViews(actor, client) })),
  route(saveViewContract, async ({ actor, client, body }) => ({ data: await saveView(actor, client, body) })),
);
