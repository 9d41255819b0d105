import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { listDueDigests, sendDigests } from "@/lib/moderation/digests/send-digests";

/** Digests per step: few enough for its time. */
const BATCH_SIZE = 25;

/** Every hour: sends digests of pending items to the people whose hour it is. */
export const sendDueDigests = inngest.createFunction(
  { id: "send-digests", triggers: [...scheduleTriggers("send-digests", "1 * * * *")], concurrency: 1 },
  async ({ event, step, runId }) => {
    const due = await step.run("list due digests", () => listDueDigests(requestedClientIds(event)));
    let mailed = 0;
    const errors = collectErrors();
    for (let at = 0; at < due.length; at += BATCH_SIZE) {
      const batch = due.slice(at, at + BATCH_SIZE);
      const write = () => step.run(`write from ${at}`, () => sendDigests(batch, runId));
      mailed += (await errors.attempt(`from ${at}`, write)) ?? 0;
    }
    errors.throwIfAny(); // unsent digests are due again in an hour
    return { due: due.length, mailed };
  },
);
