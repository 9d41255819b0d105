import type { PoolClient } from "pg";
import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { recheckItems, releaseDroppedItems } from "@/lib/invitations/recheck-claimed-items";
import { invitationValues } from "@/lib/invitations/render-invitation";
import { type HeldReason, nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import type { InvitationItemRow } from "@/lib/invitations/sent-invitation";
import { dayIn, now } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { Reason } from "@/lib/platform/issue";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import {
  type DelegatedInvitationRow,
  incrementAttempts,
  lockDelegated,
  markNotAccepted,
  redelegate,
  unmarkDelegated,
} from "./delegated-sql";
import { isAnswered } from "./reminders-sql";
import { hasRatedShop } from "./seller-sql";
import { lockClient, moveToDay, releaseInvitation, selectSuppressionReason } from "./sql";

/** What the external sender needs for an invitation: recipient, language and every link. */
export type DelegatedInvitation = {
  invitation_id: string;
  kind: "invitation" | "reminder" | "seller";
  /** the invitation a reminder is about, whose links it uses */
  reminder_of: string | null;
  /** the only event that contains a customer's name and address */
  customer: { id: string | null; name: string | null; email: string };
  language: string;
  shop: string;
  review_url: string;
  seller_review_url: string | null;
  not_received_url: string | null;
  opt_out_url: string;
  expires_at: string | null;
  items: object[];
};

/** `withdrawn`: why it must not be sent any more; `later`: the earliest time to deliver it */
export type DelegationResult = { data: DelegatedInvitation } | { withdrawn: Reason } | { later: Date };

/** Delay until the day's limit is checked again. */
const RETRY_AFTER_MS = 3_600_000;

/**
 * Builds the payload of a delegated invitation at delivery time, so that it isn't stored in a queue, after the same
 * checks as before an email by Candor.
 * Withdraws it if its person was erased or objected, got another email since, or no item is left to ask about. An
 * undelivered one is released; one that may have arrived counts as not sent and keeps its cooldown.
 * One that waited past midnight counts for today. Outside the sending hours, or if today's limit is used up, it waits.
 * For an accepted one, a repeated delivery changes nothing.
 */
export function describeDelegated(clientId: string, invitationId: string): Promise<DelegationResult> {
  return transaction(async (db) => {
    await lockClient(db, clientId);
    const [client, invitation] = [await readClient(db, clientId), await lockDelegated(db, clientId, invitationId)];
    if (!client || !invitation) return { withdrawn: "invitation_gone" };
    const verdict = await checkEligibility(db, client, invitation);
    if ("later" in verdict) return verdict;
    const isOpen = invitation.taken_at === null;
    if ("reason" in verdict) {
      if (isOpen) await withdrawDelegated(db, clientId, invitation, verdict.reason);
      return { withdrawn: verdict.withdrawn };
    }
    if (isOpen) await incrementAttempts(db, clientId, invitationId);
    return { data: toDelegatedInvitation(client, invitation, verdict.items) };
  });
}

type Eligibility = { items: InvitationItemRow[] } | { reason: HeldReason; withdrawn: Reason } | { later: Date };

/**
 * Whether it may be delivered now, and with which items. Moves one that isn't accepted to today if it waited longer.
 */
async function checkEligibility(
  db: PoolClient,
  client: ClientRow,
  invitation: DelegatedInvitationRow,
): Promise<Eligibility> {
  const { id, reminder_of, kind, email_key, taken_at, attempts } = invitation;
  const [zone, at] = [timeZoneOf(client), now()];
  const today = dayIn(zone, at);
  const suppression = await selectSuppressionReason(db, client.id, invitation);
  if (suppression) return { reason: suppression, withdrawn: "customer_unsubscribed" };
  const moment = taken_at ? at : nextSendMoment(sendHoursOf(client.config), zone, at);
  if (moment !== at) return { later: moment };
  const withdrawn: Reason = "nothing_left_to_ask";
  if (reminder_of && (await isAnswered(db, client.id, reminder_of))) return { reason: "already_reviewed", withdrawn };
  if (kind === "seller" && (await hasRatedShop(db, client.id, email_key, today)))
    return { reason: "already_reviewed", withdrawn };
  const stillEligible = await recheckItems(db, client, invitation, today);
  if (stillEligible.items.length === 0) return { reason: "not_reviewable", withdrawn };
  if (taken_at) return stillEligible;
  if (today > invitation.day) {
    const moved = await moveToDay(db, client.id, invitation, today, rulesOf(client).limit);
    if (moved === "limit_reached") return { later: new Date(at.getTime() + RETRY_AFTER_MS) };
    if (moved === "invited_since") return { reason: "quarantine", withdrawn: "customer_mailed_since" };
    const newExpiry = attempts === 0 ? await redelegate(db, client.id, id, at) : null;
    if (reminder_of === null) invitation.expires_at = newExpiry ?? invitation.expires_at;
  }
  // An earlier delivery may have arrived, with all its items.
  if (attempts === 0) await releaseDroppedItems(db, client.id, invitation, stillEligible);
  return stillEligible;
}

/** Withdraws an invitation that isn't accepted: released if never delivered, else marked as not accepted. */
async function withdrawDelegated(
  db: PoolClient,
  clientId: string,
  invitation: DelegatedInvitationRow,
  reason: HeldReason,
): Promise<void> {
  const { id, attempts } = invitation;
  if (attempts > 0) return markNotAccepted(db, clientId, [id], now());
  await unmarkDelegated(db, clientId, id);
  await releaseInvitation(db, clientId, invitation, reason);
  await enqueue(db, [{ name: "invitation/skipped", data: { client_id: clientId, invitation_id: id, reason } }]);
}

function toDelegatedInvitation(
  client: ClientRow,
  invitation: DelegatedInvitationRow,
  eligibleItems: InvitationItemRow[],
): DelegatedInvitation {
  const { id, kind, reminder_of, name, lang, email, email_hash, customer_id, expires_at } = invitation;
  const items = kind === "seller" ? [] : eligibleItems;
  // All items: the external sender decides how many to show.
  const all = { ...client, config: { ...client.config, max_items: Math.max(items.length, 1) } };
  const person = { id: reminder_of ?? id, customer_id, name, email, lang, email_hash, reminder: reminder_of !== null };
  const values = invitationValues(all, person, items);
  return {
    invitation_id: id,
    kind,
    reminder_of,
    customer: { id: customer_id, name, email },
    language: values.language,
    shop: client.display_name,
    review_url: values.review_url,
    seller_review_url: values.seller_review_url,
    not_received_url: values.not_received_url,
    opt_out_url: values.opt_out_url,
    expires_at: expires_at && toIsoSeconds(expires_at),
    items: values.items.map(({ initial, ...item }) => item),
  };
}
