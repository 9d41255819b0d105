import { notificationMessage } from "@/lib/accounts/notifications/notification-message";
import { serviceSender } from "@/lib/accounts/service-sender";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { languageOf } from "@/lib/platform/i18n/languages";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { lockPersonToEmail, selectPeopleToEmail, selectToEmail, setEmailed } from "./sql";

/** The people whose notifications are to be emailed now. */
export const listPeopleToEmail = (): Promise<string[]> => selectPeopleToEmail(pool(), now());

/**
 * Emails a person all notifications that they want by email and haven't read, in one email and at most one an hour: what
 * happens within the hour waits for the next. The email and its outbox event are saved with what it contains, so
 * crashes, retries and concurrent runs create one email.
 */
export function mailNotifications(userId: string): Promise<"mailed" | "nothing"> {
  return transaction(async (db) => {
    const moment = now();
    const person = await lockPersonToEmail(db, userId, moment);
    const notifications = person ? await selectToEmail(db, userId, moment) : [];
    const [newest] = notifications;
    if (!person || !newest) return "nothing";
    const message = notificationMessage(languageOf(person.locale), notifications);
    const mailId = await queueMail(
      {
        // None of these was emailed before, since it happened last.
        idempotencyKey: `notifications:${userId}:${newest.id}:${newest.again_at.getTime()}`,
        clientId: null,
        kind: "notifications",
        to: person.email,
        ...senderOf(serviceSender),
        ...renderMessage(serviceSender, message),
      },
      db,
    );
    await setEmailed(
      db,
      notifications.map(({ id }) => id),
      moment,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId } }]);
    return "mailed";
  });
}

/** Emails several people; a failure doesn't stop the others. Throws an `AggregateError` at the end if any failed. */
export async function mailNotificationsTo(userIds: readonly string[]): Promise<number> {
  let mailed = 0;
  const errors: unknown[] = [];
  for (const userId of userIds)
    try {
      if ((await mailNotifications(userId)) === "mailed") mailed += 1;
    } catch (error) {
      log.error({ err: error, user: userId }, "could not email notifications");
      errors.push(error);
    }
  if (errors.length > 0)
    throw new AggregateError(errors, `Notifications of ${errors.length} of ${userIds.length} people were not emailed.`);
  return mailed;
}
