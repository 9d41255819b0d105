import { clientsAskedFor, inngest, scheduled } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { listDueDigests, sendDigests } from "@/lib/moderation/digests/send-digests";

/** Digests of one step: few enough to be over in its time. */
const TOGETHER = 25;

/** Every hour: writes the mails that tell a shop's people what waits, to those whose hour it is. */
export const sendDueDigests = inngest.createFunction(
  { id: "send-digests", triggers: [...scheduled("send-digests", "1 * * * *")], concurrency: 1 },
  async ({ event, step, runId }) => {
    const due = await step.run("find what is due", () => listDueDigests(clientsAskedFor(event)));
    let mailed = 0;
    const faults = collectErrors();
    for (let at = 0; at < due.length; at += TOGETHER) {
      const some = due.slice(at, at + TOGETHER);
      const write = () => step.run(`write from ${at}`, () => sendDigests(some, runId));
      mailed += (await faults.hold(`from ${at}`, write)) ?? 0;
    }
    faults.end(); // what was not written is due again in an hour
    return { due: due.length, mailed };
  },
);
