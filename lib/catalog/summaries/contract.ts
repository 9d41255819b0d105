import { z } from "zod";
import { FamilySummary, ProductSummary, SummaryFilter } from "@/lib/catalog/summaries/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page } from "@/lib/platform/http/fields";

export const listSummariesContract = endpoint({
  id: "summaries.list",
  method: "GET",
  path: "/v1/summaries",
  tag: "Summaries",
  summary: "List review summaries by product, or by family with `by_family`",
  description:
    "Counts and averages of published reviews. A deleted product is listed only while it has reviews, so a page can have few rows or none and still have a next one. All imported external ratings count in `score`. `pro_review_count` and `user_review_count` contain those selected by the store's `external_…` settings.",
  auth: "management",
  query: SummaryFilter,
  response: page(z.union([ProductSummary, FamilySummary])),
  example: {
    query: "client_id=shop.example.com",
    answer: {
      data: [
        {
          id: "LAMP-OAK-S",
          family_id: "LAMP-OAK",
          title: "Oak table lamp, small",
          brand: "Lanterna",
          your_review_count: 3,
          your_avg_score: 4.33,
          pro_review_count: 0,
          user_review_count: 0,
          score: 8.67,
          your_score_dist: [0, 0, 0, 2, 1],
          your_review_answers: null,
        },
      ],
      links: {},
    },
  },
});
