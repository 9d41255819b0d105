import { inngest, onEvent } from "@/inngest/client";
import { mailAnswer } from "@/lib/reviews/questions/mail-answer";

/** The number of emails per address is limited; after this many waits the email is dropped. */
const MAX_WAITS = 30;

/** Emails the answer to the question's author once both are published. */
export const mailAnswerWhenPublished = inngest.createFunction(
  {
    id: "mail-answer",
    triggers: [onEvent("question/replied"), onEvent("question/decided"), onEvent("question/verified")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { client_id, question_id } = event.data;
    for (let attempt = 1; attempt <= MAX_WAITS; attempt += 1) {
      const mailed = await step.run(`mail ${attempt}`, () => mailAnswer(client_id, question_id));
      if (mailed.state !== "later") return mailed.state;
      await step.sleep(`wait ${attempt}`, `${mailed.seconds}s`);
    }
    return "failed";
  },
);
