import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { searchContract } from "@/lib/search/contract";
import { search } from "@/lib/search/search";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(searchContract, async ({ actor, client, query }) => ({ data: await search(actor, client, query.q) })),
);
