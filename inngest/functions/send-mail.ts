import { RetryAfterError } from "inngest";
import { inngest, onEvent, scheduleTriggers } from "@/inngest/client";
import { withRetryAfter } from "@/inngest/with-retry-after";
import { deliverMail } from "@/lib/platform/mail/deliver-mail";
import { deliverOverdueMails } from "@/lib/platform/mail/deliver-overdue";

/** Passes a queued email to the email service. Its idempotency key makes repetitions harmless. */
export const sendMail = inngest.createFunction(
  { id: "send-mail", triggers: [onEvent("mail/queued")], retries: 8, concurrency: 5 },
  async ({ event, step }) =>
    step.run("deliver", async () => {
      const state = await withRetryAfter(() => deliverMail(event.data.mail_id));
      // Another process is sending it, or died doing so; in a minute that is known.
      if (state === "busy") throw new RetryAfterError("Another process is sending this email.", "1m");
      return state;
    }),
);

/** Every hour: sends emails whose own retries have ended. */
export const sendPendingMails = inngest.createFunction(
  { id: "send-pending-mails", triggers: [...scheduleTriggers("send-pending-mails", "20 * * * *")], concurrency: 1 },
  async ({ step }) => step.run("deliver", () => withRetryAfter(() => deliverOverdueMails())),
);
