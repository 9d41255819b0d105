import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { saveLibraryViewContract } from "@/lib/moderation/library/contract";
import { libraryQuery } from "@/lib/moderation/library/values";
import { saveView } from "@/lib/moderation/saved-views";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(saveLibraryViewContract, async ({ actor, client, body: { name, filter } }) => ({
    data: await saveView(actor, client, "library", { name, query: libraryQuery(filter).toString() }),
  })),
);
