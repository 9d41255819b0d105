import type pg from "pg";
import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import { optOutLink } from "@/lib/invitations/links";
import { recheckItems, releaseDroppedItems } from "@/lib/invitations/recheck-claimed-items";
import { renderInvitation } from "@/lib/invitations/render-invitation";
import {
  type HeldReason,
  LINK_DAYS,
  nextSendMoment,
  rulesOf,
  sendHoursOf,
  usesExternalSender,
} from "@/lib/invitations/rules";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { hasPendingDelivery } from "@/lib/invitations/webhook-subscribers";
import { dayIn, now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { notAcceptedError } from "@/lib/platform/mail/deliver-mail";
import { deliverMails, type MailState } from "@/lib/platform/mail/deliver-mails";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { senderOf } from "@/lib/platform/mail/sender";
import { withdrawMail } from "@/lib/platform/mail/withdraw-mail";
import { markDelegated } from "./delegated-sql";
import { isAnswered } from "./reminders-sql";
import { hasRatedShop } from "./seller-sql";
import {
  type ClaimedInvitation,
  lockClaimed,
  lockClient,
  markFailed,
  markSent,
  moveToDay,
  releaseInvitation,
  selectSuppressionReason,
  setMailId,
  tryLockClient,
} from "./sql";

const DAY_MS = 86_400_000;

/**
 * Sends claimed invitations: checks again whether each person objects and its items are eligible, writes the emails
 * (idempotency key `invitation:<client>:<id>`), sends them as a batch, and marks the invitations as sent. Idempotent
 * and safe to run concurrently; skips those sent, failed or deleted.
 * An email that may not be sent frees its items for the next run. One left from an earlier day counts for today; if
 * today's limit is used up it stays until tomorrow, and outside the sending hours it waits.
 * With an external sender, they are delegated instead: event and mark are saved in one transaction, so each is
 * delegated once. While no webhook subscribes to the event, they wait.
 * Throws `unavailable` if the mail service doesn't accept some now; retry with the same ids. A failure of one
 * invitation doesn't stop the others.
 */
export async function sendInvitations(clientId: string, invitationIds: string[]): Promise<void> {
  const written = new Map<string, string>();
  const errors: unknown[] = [];
  const collectError = async <T>(work: () => Promise<T>) => {
    try {
      await work();
    } catch (error) {
      errors.push(error);
    }
  };
  for (const id of invitationIds)
    await collectError(async () => {
      const mailId = await createMail(clientId, id);
      if (mailId !== null) written.set(mailId, id);
    });
  const delivery = await deliverMails([...written.keys()]);
  for (const [mailId, id] of written)
    await collectError(() => recordMailState(clientId, id, delivery.states.get(mailId) ?? "gone"));
  if (errors.length > 0) throw errors[0];
  if ([...delivery.states.values()].includes("later")) throw notAcceptedError(delivery);
}

/** Sends one claimed invitation, as {@link sendInvitations} does. */
export const sendInvitation = (clientId: string, invitationId: string): Promise<void> =>
  sendInvitations(clientId, [invitationId]);

async function recordMailState(clientId: string, invitationId: string, state: MailState): Promise<void> {
  // `busy`: another process marks it. `gone`: an erasure deleted email and invitation.
  if (state === "busy" || state === "gone" || state === "later") return;
  await transaction(async (db) => {
    if (state === "failed") {
      await markFailed(db, clientId, invitationId);
      return;
    }
    const at = now();
    const sent = await markSent(db, clientId, invitationId, at, new Date(at.getTime() + LINK_DAYS * DAY_MS));
    if (sent)
      await enqueue(db, [{ name: "invitation/sent", data: { client_id: clientId, invitation_id: invitationId } }]);
  });
}

/**
 * Lock order: the client's lock before any invitation's, since erasures and runs hold it while waiting for
 * invitations. Most emails don't need it, so it isn't always locked. If one needs it and it is locked, the email is
 * checked again from the start, under that lock.
 */
async function createMail(clientId: string, invitationId: string): Promise<string | null> {
  try {
    return await transaction((db) => writeMail(db, clientId, invitationId));
  } catch (error) {
    if (!(error instanceof ClientLockedError)) throw error;
  }
  return transaction(async (db) => {
    await lockClient(db, clientId);
    return writeMail(db, clientId, invitationId);
  });
}

/** Another transaction holds the client's lock; a holder of an invitation's lock must not wait for it. */
class ClientLockedError extends Error {
  override name = "ClientIsHeld";
}

async function lockClientOrThrow(db: pg.PoolClient, clientId: string): Promise<void> {
  if (!(await tryLockClient(db, clientId))) throw new ClientLockedError();
}

/**
 * Returns the id of the invitation's email. Null if none may be sent (now), or another process sends it. An email that
 * the mail service hasn't accepted is checked and written again, however long it waited; one that may have been sent
 * stays unchanged.
 */
async function writeMail(db: pg.PoolClient, clientId: string, invitationId: string): Promise<string | null> {
  const invitation = await lockClaimed(db, clientId, invitationId);
  if (!invitation) return null;
  if (invitation.mail_id) {
    if (!(await withdrawMail(invitation.mail_id, db))) return invitation.mail_id;
    await setMailId(db, clientId, invitationId, null);
  }
  const client = await readClient(db, clientId);
  if (!client) return null;
  const [zone, at] = [timeZoneOf(client), now()];
  if (nextSendMoment(sendHoursOf(client.config), zone, at) !== at) return null;
  if (await hasNoSender(client, db)) return null;
  const today = dayIn(zone, at);

  const suppression = await selectSuppressionReason(db, clientId, invitation);
  if (suppression) return release(db, clientId, invitation, suppression);
  if (today > invitation.day) {
    await lockClientOrThrow(db, clientId);
    const moved = await moveToDay(db, clientId, invitation, today, rulesOf(client).limit);
    if (moved === "limit_reached") return null;
    if (moved === "invited_since") return release(db, clientId, invitation, "quarantine");
  }
  const linkedInvitationId = invitation.reminder_of ?? invitationId;
  if (invitation.reminder_of && (await isAnswered(db, clientId, linkedInvitationId)))
    return release(db, clientId, invitation, "already_reviewed");
  if (invitation.kind === "seller" && (await hasRatedShop(db, clientId, invitation.email_key, today)))
    return release(db, clientId, invitation, "already_reviewed");
  const stillEligible = await recheckItems(db, client, invitation, today);
  const { items } = stillEligible;
  if (items.length === 0) return release(db, clientId, invitation, "not_reviewable");
  await releaseDroppedItems(db, clientId, invitation, stillEligible);

  if (usesExternalSender(client)) return delegateInvitation(db, clientId, invitationId, at);
  const optOutUrl = optOutLink(clientId, invitation.email_hash);
  const mailId = await queueMail(
    {
      idempotencyKey: `invitation:${clientId}:${invitationId}`,
      clientId,
      kind: invitation.reminder_of ? "reminder" : "invitation",
      to: invitation.email,
      ...senderOf(client),
      ...(await renderInvitation(
        client,
        { ...invitation, id: linkedInvitationId, reminder: invitation.reminder_of !== null },
        invitation.kind === "seller" ? [] : items,
      )),
      headers: { "List-Unsubscribe": `<${optOutUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    },
    db,
  );
  await setMailId(db, clientId, invitationId, mailId);
  return mailId;
}

/**
 * Emits the event for the external sender. Its payload is built on delivery and isn't stored. Throws `unavailable`,
 * without marking anything, if the last subscribed webhook was removed concurrently.
 */
async function delegateInvitation(db: pg.PoolClient, clientId: string, invitationId: string, at: Date): Promise<null> {
  await markSent(db, clientId, invitationId, at, new Date(at.getTime() + LINK_DAYS * DAY_MS));
  await markDelegated(db, clientId, invitationId, at);
  await enqueue(db, [{ name: "invitation/handed", data: { client_id: clientId, invitation_id: invitationId } }]);
  if (!(await hasPendingDelivery(db, clientId, DELEGATED_EVENT, invitationId)))
    throw new AppError("unavailable", { reason: "no_sending_webhook" });
  return null;
}

async function release(
  db: pg.PoolClient,
  clientId: string,
  invitation: ClaimedInvitation,
  reason: HeldReason,
): Promise<null> {
  await lockClientOrThrow(db, clientId);
  await releaseInvitation(db, clientId, invitation, reason);
  await enqueue(db, [
    { name: "invitation/skipped", data: { client_id: clientId, invitation_id: invitation.id, reason } },
  ]);
  return null;
}
