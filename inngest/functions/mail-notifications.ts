import { inngest, onEvent, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import {
  listPeopleToEmail,
  mailNotifications,
  mailNotificationsTo,
} from "@/lib/accounts/notifications/mail-notifications";

/** People per step: few enough for its time. */
const BATCH_SIZE = 25;

/** Emails a person a new notification right away, unless they got such an email within the last hour. */
export const mailNewNotifications = inngest.createFunction(
  { id: "mail-notifications", triggers: [onEvent("notification/due")], concurrency: 5 },
  async ({ event, step }) => step.run("write", () => mailNotifications(event.data.user_id)),
);

/** Every ten minutes: emails people whose hour is over what happened within it. */
export const mailPendingNotifications = inngest.createFunction(
  {
    id: "mail-pending-notifications",
    triggers: [...scheduleTriggers("mail-pending-notifications", "*/10 * * * *")],
    concurrency: 1,
  },
  async ({ step }) => {
    const people = await step.run("list people", () => listPeopleToEmail());
    let mailed = 0;
    const errors = collectErrors();
    for (let at = 0; at < people.length; at += BATCH_SIZE) {
      const batch = people.slice(at, at + BATCH_SIZE);
      const write = () => step.run(`write from ${at}`, () => mailNotificationsTo(batch));
      mailed += (await errors.attempt(`from ${at}`, write)) ?? 0;
    }
    errors.throwIfAny(); // the next run finds the same notifications
    return { people: people.length, mailed };
  },
);
