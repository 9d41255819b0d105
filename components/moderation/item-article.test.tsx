import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { ItemArticle } from "@/components/moderation/item-article";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

const sellerReview: QueueItem = {
  kind: "seller_review",
  id: "s1",
  accepted: true,
  reject_reason: null,
  received_at: "2026-05-20T10:00:00Z",
  updated_at: "2026-05-20T10:00:00Z",
  source: "web",
  product_url: null,
  unverified: false,
  verified_email: false,
  verified_buyer: false,
  customer_id: null,
  reports: 0,
  replies: 0,
  revision: "0",
  findings: [],
  author: "Ada",
  author_email: null,
  date: "2026-05-20",
  score: 4,
  title: null,
  extract: "Fast delivery.",
  lang: "en",
  images: [],
  properties: {},
  pros: [],
  cons: [],
  product: null,
  product_ids: [],
  family_ids: [],
  order_id: null,
  mail_answer: false,
  question_id: null,
  came_with: null,
  portal_url: "https://x.example",
};

it.each([null, "Great store"])("calls a seller review by its kind, titled %s", (title) => {
  const html = renderInEnglish(
    <QueryClientProvider client={new QueryClient()}>
      <ItemArticle clientId="shop.example" item={{ ...sellerReview, title }} timeZone="UTC" canDecide />
    </QueryClientProvider>,
  );
  expect(html).toContain("Seller review");
  expect(html).not.toContain("queue.");
});
