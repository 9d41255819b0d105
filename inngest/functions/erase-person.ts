import { inngest, onEvent } from "@/inngest/client";
import { continueErasure } from "@/lib/privacy/erase-personal-data";

/** Steps per run; the rest is left to the next. */
const MAX_STEPS = 200;

/** Continues, batch by batch, an erasure that is too large for one request. */
export const erasePerson = inngest.createFunction(
  {
    id: "erase-person",
    triggers: [onEvent("personal_data/deletion_requested")],
    retries: 8,
    concurrency: { limit: 1, key: "event.data.request_id" },
  },
  async ({ event, step }) => {
    const { client_id, request_id } = event.data;
    for (let number = 1; number <= MAX_STEPS; number += 1) {
      // The id stays `remove …`, since runs under way find their completed steps by it.
      const state = await step.run(`remove ${number}`, () => continueErasure(client_id, request_id));
      if (state === "done") return;
      if (state === "busy") await step.sleep(`wait ${number}`, "2s");
    }
    await step.sendEvent("continue", { name: "personal_data/deletion_requested", data: { client_id, request_id } });
  },
);
