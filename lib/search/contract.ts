import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";
import { SearchQuery, SearchResult } from "@/lib/search/schema";

export const searchContract = endpoint({
  id: "portal.search",
  method: "GET",
  path: "/portal/api/v1/search",
  tag: "Portal",
  summary: "Search a store's orders, customers, products, reviews and questions",
  description:
    "Up to five results of each kind; reviews and questions by the words of their texts. Customers, and what is found by their names and addresses, only for people who may see personal data.",
  auth: "session",
  query: SearchQuery,
  response: single(SearchResult.array()),
});
