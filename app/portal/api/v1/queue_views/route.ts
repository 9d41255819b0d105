import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listViewsContract, saveViewContract } from "@/lib/moderation/queue/contract";
import { filterQueryString } from "@/lib/moderation/queue/rules";
import { listViews } from "@/lib/moderation/queue/views";
import { saveView } from "@/lib/moderation/saved-views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listViewsContract, async ({ actor, client }) => ({ data: await listViews(actor, client) })),
  route(saveViewContract, async ({ actor, client, body: { name, filter } }) => ({
    data: await saveView(actor, client, "queue", { name, query: filterQueryString(filter) }),
  })),
);
