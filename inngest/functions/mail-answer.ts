import { inngest, onEvent } from "@/inngest/client";
import { mailAnswer } from "@/lib/reviews/questions/mail-answer";

/** An address that is written to day after day gets no more than its share; after so many waits the mail is given up. */
const MAX_WAITS = 30;

/** Mails the answer to who asked, as soon as question and answer are both published. */
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
