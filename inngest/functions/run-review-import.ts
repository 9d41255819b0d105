import { inngest, onEvent } from "@/inngest/client";
import { runStep } from "@/lib/transfer/imports/run-step";

/** Checks, imports or undoes a file of reviews; few concurrently, and those of one client in sequence. */
export const runReviewImport = inngest.createFunction(
  {
    id: "run-review-import",
    triggers: [onEvent("import/requested")],
    concurrency: { limit: 1, key: "event.data.lane" },
  },
  async ({ event, step: steps }) => {
    const { client_id, import_id, step } = event.data;
    return steps.run(step, () => runStep(client_id, import_id, step));
  },
);
