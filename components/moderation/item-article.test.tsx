import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { queueItem } from "@/components/moderation/fixtures/queue-item";
import { ItemArticle } from "@/components/moderation/item-article";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { renderInEnglish } from "@/lib/tools/test/render";

const sellerReview: QueueItem = {
  ...queueItem,
  kind: "seller_review",
  product: null,
  product_ids: [],
};

const shown = (item: QueueItem) =>
  renderInEnglish(
    <QueryClientProvider client={new QueryClient()}>
      <ItemArticle clientId="shop.example" item={item} timeZone="UTC" canDecide />
    </QueryClientProvider>,
  );

it("says if the author was offered something", () => {
  expect(shown({ ...sellerReview, incentivized: true })).toContain("Reward offered");
  expect(shown(sellerReview)).not.toContain("Reward offered");
});

it.each([null, "Great store"])("calls a seller review by its kind, titled %s", (title) => {
  const html = shown({ ...sellerReview, title });
  expect(html).toContain("Seller review");
  expect(html).not.toContain("queue.");
});
