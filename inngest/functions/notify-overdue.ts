import { inngest, requestedClientIds, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { notifyFailedEmails } from "@/lib/insights/home/notify-failed-emails";
import { notifyOverdue } from "@/lib/moderation/queue/notify-overdue";

/** Every hour: notifies people of what is only found by looking: overdue items, and emails that failed. */
export const notifyOverdueItems = inngest.createFunction(
  { id: "notify-overdue", triggers: [...scheduleTriggers("notify-overdue", "40 * * * *")], concurrency: 1 },
  async ({ event, step }) => {
    const clientIds = requestedClientIds(event);
    const errors = collectErrors();
    const overdue = await errors.attempt("overdue items", () =>
      step.run("overdue items", () => notifyOverdue(clientIds)),
    );
    const failed = await errors.attempt("failed emails", () =>
      step.run("failed emails", () => notifyFailedEmails(clientIds)),
    );
    errors.throwIfAny(); // a retry notifies no one twice: quiet hours
    return { overdue: overdue ?? 0, failed: failed ?? 0 };
  },
);
