import { inngest, onEvent } from "@/inngest/client";
import { syncOrderFamilies } from "@/lib/reviews/reviews/sync-families";

/** Has the reviews of items that the catalogue doesn't know follow the family that an order gave. */
export const applyOrderFamilies = inngest.createFunction(
  {
    id: "apply-order-families",
    triggers: [onEvent("order/family_given")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.client_id" },
  },
  async ({ event, step }) => {
    const { client_id, product_ids } = event.data;
    return { changed: await step.run("apply families", () => syncOrderFamilies(client_id, product_ids)) };
  },
);
