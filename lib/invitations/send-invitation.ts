import type pg from "pg";
import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { releaseIneligibleItems, selectEligibleItems } from "@/lib/invitations/eligible-items";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import { optOutLink } from "@/lib/invitations/links";
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
 * Sends claimed invitations: looks once more whether each person objects and whether what it asks for still stands,
 * writes the mails (idempotency key `invitation:<client>:<id>`), hands them over together, and marks the invitations
 * sent. Safe to repeat and to run several times at once; nothing is done for those that are sent, failed or gone.
 * A mail that is not to go frees its items, which the planner then explains. One that was left over from an earlier day
 * counts for today, and stays until tomorrow where today's limit is used up; outside the client's sending hours it waits
 * for them. Where a sender of the merchant's own is to send them, they are handed to it instead: the event and the mark
 * are one transaction, so each is handed over once; while no webhook takes the event, they wait.
 * Throws `unavailable` when the mail service does not take some now: try again, with the same ones. What one invitation
 * meets keeps none of the others.
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
  // `busy`: the other process marks it. `gone`: an erasure took mail and invitation.
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
 * The client's lock comes before any invitation's, as everywhere: who erases a person or plans holds it and waits for
 * invitations. Most mails need none, so it is not taken for all of them. Where one needs it and somebody has it, the
 * mail is judged anew from the beginning, under that lock.
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

/** Somebody has the client's lock, and whoever has an invitation's must not wait for it. */
class ClientLockedError extends Error {
  override name = "ClientIsHeld";
}

async function lockClientOrThrow(db: pg.PoolClient, clientId: string): Promise<void> {
  if (!(await tryLockClient(db, clientId))) throw new ClientLockedError();
}

/**
 * The id of the invitation's mail; null when none is to go (now), or another sends it. One that was written before and
 * that the mail service would not take is judged and written anew, however long it waited; one that may have gone is left
 * as it is.
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

  const objection = await selectSuppressionReason(db, clientId, invitation);
  if (objection) return release(db, clientId, invitation, objection);
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
  const asked = await selectEligibleItems(db, client, invitation, today);
  const { items } = asked;
  if (items.length === 0) return release(db, clientId, invitation, "not_reviewable");
  await releaseIneligibleItems(db, clientId, invitation, asked);

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
 * Has the client's webhooks told all that a sender needs. What that is is put in when it is told, and lies nowhere
 * meanwhile. Throws `unavailable`, and nothing is marked, where the last webhook that takes it went at this very moment.
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
