import { inngest, onEvent } from "@/inngest/client";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";

/** An address that is written to day after day gets no more than its share; after so many waits the mail is given up. */
const MAX_WAITS = 30;

/** Tells an author of a rejection, where the decision says that the author may be told. */
export const mailRejections = inngest.createFunction(
  {
    id: "mail-rejection",
    triggers: [onEvent("review/decided"), onEvent("seller_review/decided"), onEvent("question/decided")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { data } = event;
    if (data.to !== "rejected" || !data.notify) return "not_due";
    const [kind, id] =
      "review_id" in data
        ? (["review", data.review_id] as const)
        : "seller_review_id" in data
          ? (["seller_review", data.seller_review_id] as const)
          : (["question", data.question_id] as const);
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const result = await step.run(`mail ${attempt}`, () => mailRejection(data.client_id, kind, id));
      if (result.state !== "later") return result.state;
      await step.sleep(`wait ${attempt}`, `${result.seconds}s`);
    }
    return "failed";
  },
);
