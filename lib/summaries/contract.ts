import { z } from "zod";
import { endpoint } from "@/lib/http/contract";
import { page } from "@/lib/http/fields";
import { FamilySummary, ProductSummary, SummaryFilter } from "@/lib/summaries/schema";

export const listSummariesContract = endpoint({
  id: "summaries.list",
  method: "GET",
  path: "/v1/summaries",
  tag: "Summaries",
  summary: "List review summaries by product, or by family with `by_family`",
  description: "Counts and averages cover accepted reviews. A deleted product is listed only while it has reviews.",
  auth: "management",
  query: SummaryFilter,
  response: page(z.union([ProductSummary, FamilySummary])),
});
