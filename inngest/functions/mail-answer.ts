import { inngest, on } from "@/inngest/client";
import { mailAnswer } from "@/lib/reviews/questions/mail-answer";

/** An address that is written to day after day gets no more than its share; after so many waits the mail is given up. */
const MOST_WAITS = 30;

/** Mails the answer to who asked, as soon as question and answer are both published. */
export const mailAnswerOf = inngest.createFunction(
  {
    id: "mail-answer",
    triggers: [on("question/replied"), on("question/decided"), on("question/verified")],
    retries: 8,
    concurrency: 5,
  },
  async ({ event, step }) => {
    const { client_id, question_id } = event.data;
    for (let turn = 1; turn <= MOST_WAITS; turn += 1) {
      const mailed = await step.run(`mail ${turn}`, () => mailAnswer(client_id, question_id));
      if (mailed.state !== "later") return mailed.state;
      await step.sleep(`wait ${turn}`, `${mailed.seconds}s`);
    }
    return "given_up";
  },
);
