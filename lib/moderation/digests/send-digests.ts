import { recordFailedJob } from "@/lib/accounts/notifications/record-failed-job";
import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { digestMessage, hasContent } from "@/lib/moderation/digests/digest-message";
import { stopDigestLink } from "@/lib/moderation/digests/links";
import { localTime } from "@/lib/moderation/digests/local-time";
import { dueDay } from "@/lib/moderation/digests/rules";
import { countPending } from "@/lib/moderation/queue/count-pending";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { languageOf } from "@/lib/platform/i18n/languages";
import { clearJobFailure } from "@/lib/platform/jobs/job-failures";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { countUnreplied } from "@/lib/reviews/replies/count-unreplied";
import { lockDigest, selectDigests, setLastDay } from "./sql";

export type DueDigest = { user_id: string; client_id: string };

/** Returns the digests due now, of some clients or of all (null). */
export async function listDueDigests(clientIds: string[] | null): Promise<DueDigest[]> {
  const at = now();
  const rows = await selectDigests(pool(), clientIds);
  return rows.filter((row) => isDue(row, at)).map(({ user_id, client_id }) => ({ user_id, client_id }));
}

function isDue(row: Awaited<ReturnType<typeof selectDigests>>[number], at: Date): boolean {
  try {
    return dueDay(row, row.last_day, localTime(row.time_zone ?? "UTC", at)) !== null;
  } catch (error) {
    // An unknown time zone: the digest fails on its own when it is created, without stopping the others.
    log.warn({ err: error, client: row.client_id }, "could not determine a client's current date");
    return true;
  }
}

/**
 * Creates a person's digest email if it is still due and there is something to report. The email, the completed day and
 * the outbox event are saved in one transaction, and the idempotency key contains the day. So crashes, retries and
 * concurrent runs create one email.
 */
export function sendDigest({ user_id, client_id }: DueDigest): Promise<"mailed" | "nothing" | "not_due"> {
  return transaction(async (db) => {
    const row = await lockDigest(db, user_id, client_id);
    const client = row && (await readClient(db, client_id));
    if (!row || !client) return "not_due";
    const day = dueDay(row, row.last_day, localTime(timeZoneOf(client), now()));
    if (day === null) return "not_due";
    await setLastDay(db, user_id, client_id, day);
    const actor = { role: row.role, accountId: row.account_id };
    const [pending, { unreplied }] = await Promise.all([countPending(actor, client), countUnreplied(client)]);
    if (!hasContent({ pending, unreplied })) return "nothing";
    const language = languageOf(row.locale, client.locale);
    const message = digestMessage(client, { userId: user_id, every: row.every, language }, { pending, unreplied });
    const mailId = await queueMail(
      {
        idempotencyKey: `digest:${client_id}:${user_id}:${day}`,
        clientId: client_id,
        kind: "digest",
        to: row.email,
        ...senderOf(client),
        ...renderMessage(client, message),
        headers: {
          "List-Unsubscribe": `<${stopDigestLink(user_id, client_id)}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
      db,
    );
    await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id } }]);
    return "mailed";
  });
}

/**
 * Creates several digests; a failure doesn't stop the others. Returns how many emails were created. Failures are
 * recorded for their store under `runId`. Throws an `AggregateError` at the end if any failed.
 */
export async function sendDigests(due: DueDigest[], runId: string): Promise<number> {
  let mailed = 0;
  const errors: unknown[] = [];
  for (const digest of due) {
    const subject = { job: "send-digests", clientId: digest.client_id, part: digest.user_id };
    try {
      if ((await sendDigest(digest)) === "mailed") mailed += 1;
      await clearJobFailure(subject);
    } catch (error) {
      // The run stores only one message for all of them.
      log.error({ err: error, client: digest.client_id }, "could not create a digest email");
      errors.push(error);
      await recordFailedJob(subject, runId);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${due.length} digest emails were not created.`);
  return mailed;
}
