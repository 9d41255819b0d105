import type { PoolClient } from "pg";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import { isSuppressed } from "@/lib/invitations/suppress-address";
import { pool, transaction } from "@/lib/platform/db/pool";
import { languageOf } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { renderMessage } from "@/lib/platform/mail/render-message";
import { senderOf } from "@/lib/platform/mail/sender";
import { secondsUntilNextMail } from "@/lib/platform/mail/unverified-limit";
import { personHash } from "@/lib/platform/secrets/person-hash";

/** `later`: some addresses have reached their limit of emails, the others were emailed; retry in so many seconds. */
export type ReportOutcomeResult = { state: "done" | "not_due" } | { state: "later"; seconds: number };

type DueReport = { id: string; email: string; lang: string | null; removed: boolean };

/**
 * Emails those who reported a review, and gave an address, what became of it: it was removed, or the store closed the
 * reports. One email per report, which quotes nothing and names nobody. Then the address is deleted from the report.
 * Anyone can enter an address, so their emails are limited. Idempotent and safe to run concurrently.
 */
export async function mailReportOutcomes(clientId: string, reviewId: string): Promise<ReportOutcomeResult> {
  const waits = new Map<string, number>();
  for (let isDone = false; ; isDone = true) {
    // One report per transaction: it locks an address, and two could wait for each other.
    const next = await mailNextOutcome(clientId, reviewId, [...waits.keys()]);
    if (next.state === "later") waits.set(next.id, next.seconds);
    else if (next.state === "not_due") {
      if (waits.size > 0) return { state: "later", seconds: Math.min(...waits.values()) };
      return { state: isDone ? "done" : "not_due" };
    }
  }
}

/** Deletes the addresses from the reports whose outcome could not be emailed. Returns how many. */
export async function dropReportOutcomes(clientId: string, reviewId: string): Promise<number> {
  const { rowCount } = await pool().query(
    `update flags f set email = null, email_key = null, lang = null from reviews r
      where r.client_id = f.client_id and r.id = f.review_id and f.client_id = $1 and f.review_id = $2
        and f.email is not null and ${isDueSql}`,
    [clientId, reviewId],
  );
  return rowCount ?? 0;
}

/** SQL condition: the report `f` of the review `r` has an outcome. */
const isDueSql = "(r.accepted = false or f.resolved_at is not null)";

type NextOutcome = { state: "done" | "not_due" } | { state: "later"; id: string; seconds: number };

/** Emails one of the reporters, other than those of the `skipped` reports. */
const mailNextOutcome = (clientId: string, reviewId: string, skipped: string[]): Promise<NextOutcome> =>
  transaction(async (db): Promise<NextOutcome> => {
    const client = await readClient(db, clientId);
    const { rows } = await db.query<DueReport>(
      `select f.id, f.email, f.lang, r.accepted = false as removed
         from flags f join reviews r on r.client_id = f.client_id and r.id = f.review_id
        where f.client_id = $1 and f.review_id = $2 and f.email is not null
          and ${isDueSql} and f.id <> all($3)
        order by f.created_at, f.id limit 1 for update of f`,
      [clientId, reviewId, skipped],
    );
    const [report] = rows;
    if (!client || !report) return { state: "not_due" };
    const { id, email } = report;
    if (!(await isSuppressed(db, clientId, personHash(clientId, "email", email)))) {
      const seconds = await secondsUntilNextMail(db, clientId, email);
      if (seconds > 0) return { state: "later", id, seconds };
      await queueOutcome(db, client, report);
    }
    await db.query("update flags set email = null, email_key = null, lang = null where client_id = $1 and id = $2", [
      clientId,
      id,
    ]);
    return { state: "done" };
  });

/**
 * Emails those who reported a review, and gave an address, that the store no longer shows it, in the transaction that
 * deletes it: call it before, since the reports go with the review. Also above the limit of an address, since there is
 * no later.
 */
export async function mailReportersOfDeleted(db: PoolClient, clientId: string, reviewId: string): Promise<void> {
  const { rows } = await db.query<Omit<DueReport, "removed">>(
    `select id, email, lang from flags where client_id = $1 and review_id = $2 and email is not null
      order by created_at, id for update`,
    [clientId, reviewId],
  );
  const client = rows.length > 0 ? await readClient(db, clientId) : null;
  if (!client) return;
  for (const report of rows) {
    if (await isSuppressed(db, clientId, personHash(clientId, "email", report.email))) continue;
    await queueOutcome(db, client, { ...report, removed: true });
  }
}

async function queueOutcome(db: PoolClient, client: ClientRow, report: DueReport): Promise<void> {
  const { id, email, lang, removed } = report;
  const clientId = client.id;
  const language = languageOf(lang, client.locale);
  const t = emailText(language);
  const shop = { shop: client.display_name };
  const optOutUrl = optOutLink(clientId, personHash(clientId, "email", email));
  const mailId = await queueMail(
    {
      idempotencyKey: `report:${clientId}:${id}`,
      clientId,
      kind: "report",
      to: email,
      ...senderOf(client),
      ...renderMessage(client, {
        language,
        subject: t("reportOutcome.subject", shop),
        preheader: t(removed ? "reportOutcome.removed" : "reportOutcome.kept", shop),
        heading: t("reportOutcome.heading"),
        lines: [t(removed ? "reportOutcome.removed" : "reportOutcome.kept", shop), t("statement.redress", shop)],
        button: null,
        note: t("reportOutcome.note"),
        why: t("reportOutcome.why", shop),
        opt_out: { question: t("email.optOut"), label: t("email.optOutLink"), url: optOutUrl },
      }),
      headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    },
    db,
  );
  await enqueue(db, [{ name: "mail/queued", data: { mail_id: mailId, client_id: clientId } }]);
}
