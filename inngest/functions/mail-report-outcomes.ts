import { inngest, onEvent } from "@/inngest/client";
import { dropReportOutcomes, mailReportOutcomes } from "@/lib/reviews/votes/mail-report-outcomes";

/** The number of emails per address is limited; after this many waits the emails are dropped. */
const MAX_WAITS = 30;

/** Notifies those who reported a review of the outcome. */
export const mailReporters = inngest.createFunction(
  {
    id: "mail-report-outcomes",
    triggers: [onEvent("review/reports_closed"), onEvent("review/reported_rejected")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { client_id, review_id } = event.data;
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const result = await step.run(`mail ${attempt}`, () => mailReportOutcomes(client_id, review_id));
      if (result.state !== "later") return result.state;
      await step.sleep(`wait ${attempt}`, `${result.seconds}s`);
    }
    await step.run("drop", () => dropReportOutcomes(client_id, review_id));
    return "failed";
  },
);
