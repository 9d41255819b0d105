import { inngest, on } from "@/inngest/client";
import { followOrders } from "@/lib/reviews/reviews/follow-families";

/** Has the reviews of items that the catalogue doesn't know follow the family that an order gave. */
export const followFamiliesOfOrders = inngest.createFunction(
  {
    id: "follow-orders",
    triggers: [on("order/family_given")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id, product_ids } = event.data;
    return { changed: await step.run("follow", () => followOrders(client_id, product_ids)) };
  },
);
