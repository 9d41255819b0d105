import { inngest, onEvent } from "@/inngest/client";
import { syncOrderFamilies } from "@/lib/reviews/reviews/sync-families";

/** Gives the reviews of items that aren't in the catalog the family from an order. */
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
