import { inngest, onEvent } from "@/inngest/client";
import { removeUnusedPhotos } from "@/lib/reviews/uploads/remove-unused-photos";

/** Days to wait for an import that is still running. */
const MAX_WAITS = 7;

/** Deletes photos that an import of a store wrote, if it didn't finish. */
export const removePhotosOfImport = inngest.createFunction(
  { id: "remove-unused-photos", triggers: [onEvent("photos/imported")], retries: 8, concurrency: 1 },
  async ({ event, step }) => {
    const { client_id, keys } = event.data;
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const state = await step.run(`remove ${attempt}`, () => removeUnusedPhotos(client_id, keys));
      if (state === "done") return state;
      await step.sleep(`wait ${attempt}`, "1d");
    }
    return "failed";
  },
);
