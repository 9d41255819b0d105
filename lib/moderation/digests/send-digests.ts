import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { digestMessage, hasContent } from "@/lib/moderation/digests/digest-message";
import { stopDigestLink } from "@/lib/moderation/digests/links";
import { localTime } from "@/lib/moderation/digests/local-time";
import { dueDay } from "@/lib/moderation/digests/rules";
import { countPending } from "@/lib/moderation/queue/count-pending";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { languageOf } from "@/lib/platform/i18n/languages";
import { clearJobFailure, recordJobFailure } from "@/lib/platform/jobs/job-failures";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { countUnreplied } from "@/lib/reviews/replies/count-unreplied";
import { lockDigest, selectDigests, setLastDay } from "./sql";

export type DueDigest = { user_id: string; client_id: string };

/** Whose digest is due now, of some clients or of all (null). */
export async function listDueDigests(clientIds: string[] | null): Promise<DueDigest[]> {
  const at = now();
  const rows = await selectDigests(pool(), clientIds);
  return rows.filter((row) => isDue(row, at)).map(({ user_id, client_id }) => ({ user_id, client_id }));
}

function isDue(row: Awaited<ReturnType<typeof selectDigests>>[number], at: Date): boolean {
  try {
    return dueDay(row, row.last_day, localTime(row.time_zone ?? "UTC", at)) !== null;
  } catch (error) {
    // Its day cannot be told (a time zone that this system does not know): it fails by itself when it is written, and not all with it.
    log.warn({ err: error, client: row.client_id }, "could not determine a client's current date");
    return true;
  }
}

/**
 * Writes a person's digest of a client, if it is (still) due and anything waits. The mail, that the day is done, and the
 * fact that hands it over commit together, and the mail's key names the day: so a crash, a repetition and two at once
 * make one mail.
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
    const [waiting, { unreplied }] = await Promise.all([countPending(actor, client), countUnreplied(client)]);
    if (!hasContent({ waiting, unreplied })) return "nothing";
    const language = languageOf(row.locale, client.locale);
    const message = digestMessage(client, { userId: user_id, every: row.every, language }, { waiting, unreplied });
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
 * Writes several; what one meets keeps none of the others. Answers how many mails were written. `runId`: the run that failures
 * are noted under, each for its store.
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
      // The run keeps one sentence for all of them.
      log.error({ err: error, client: digest.client_id }, "could not create a digest email");
      errors.push(error);
      await recordJobFailure(subject, runId);
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${due.length} digest emails were not created.`);
  return mailed;
}
