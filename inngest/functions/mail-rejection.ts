import { inngest, onEvent } from "@/inngest/client";
import { mailUpheldAppeal } from "@/lib/moderation/rejections/mail-appeal";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";

/** The number of emails per address is limited; after this many waits the email is dropped. */
const MAX_WAITS = 30;

/** Notifies an author of a rejection, if the decision permits it, and of the outcome of an appeal. */
export const mailRejections = inngest.createFunction(
  {
    id: "mail-rejection",
    triggers: [onEvent("review/decided"), onEvent("seller_review/decided"), onEvent("question/decided")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { data } = event;
    const isDue = data.appealed ? data.to !== "pending" : data.to === "rejected" && data.notify;
    if (!isDue) return "not_due";
    const [kind, id] =
      "review_id" in data
        ? (["review", data.review_id] as const)
        : "seller_review_id" in data
          ? (["seller_review", data.seller_review_id] as const)
          : (["question", data.question_id] as const);
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const result = await step.run(`mail ${attempt}`, () =>
        data.to === "accepted"
          ? mailUpheldAppeal(data.client_id, kind, id)
          : mailRejection(data.client_id, kind, id, { onlyAppealed: !data.notify }),
      );
      if (result.state !== "later") return result.state;
      await step.sleep(`wait ${attempt}`, `${result.seconds}s`);
    }
    return "failed";
  },
);
