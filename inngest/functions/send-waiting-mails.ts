import { inngest, scheduled } from "@/inngest/client";
import { whenAsked } from "@/inngest/when-asked";
import { deliverWaiting } from "@/lib/platform/mail/deliver-waiting";

/** Every hour: hands over mails whose own tries are over. */
export const sendWaitingMails = inngest.createFunction(
  { id: "send-waiting-mails", triggers: [...scheduled("send-waiting-mails", "20 * * * *")], concurrency: 1 },
  async ({ step }) => step.run("deliver", () => whenAsked(() => deliverWaiting())),
);
