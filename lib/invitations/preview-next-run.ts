import { readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { listDueReminders } from "@/lib/invitations/claim-reminders";
import { listDueSellerInvitations } from "@/lib/invitations/claim-seller-invitations";
import { explanationText, NO_SENDER } from "@/lib/invitations/explanations";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import { type HeldItem, nextSendMoment, rulesOf, sendHoursOf } from "@/lib/invitations/rules";
import { dayIn, now } from "@/lib/platform/clock";
import { longTransaction, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { english } from "@/lib/platform/i18n/english";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { selectDecisions } from "./rules-sql";

export type NextRun = {
  /**
   * one entry per email, in sending order; `at` is the earliest time. A reminder has the items of its invitation, which
   * are held as `already_invited`; a seller-only invitation has the items it represents, held for their own reasons.
   */
  send: {
    to: string;
    at: string;
    items: { order_id: string; item_id: string }[];
    reminder?: true;
    seller_only?: true;
  }[];
  /** `sentence`: the reason as text, if requested */
  held: (HeldItem & { sentence?: string })[];
  /** why nothing is sent anyway: no webhook leads to the client's external sender */
  senderNotice?: string;
};

/**
 * Returns what the next run would send, and why every other item is held. Read-only. Applies to the next time the
 * client's emails may be sent (`config.send_hours`), by default now. Throws `not_found` for an unknown client.
 */
export async function previewNextRun(clientId: string, { explain = false } = {}): Promise<NextRun> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const zone = timeZoneOf(client);
  const at = nextSendMoment(sendHoursOf(client.config), zone, now());
  const preview: NextRun = { send: [], held: [] };
  let person: string | null = null;
  const rules = rulesOf(client);
  const days = { today: dayIn(zone), nextRun: dayIn(zone, at) };
  const rows = await longTransaction(async (db) => {
    await db.query("set local statement_timeout = '10min'"); // evaluates up to millions of items, at a person's request
    return selectDecisions(db, clientId, rules, days.nextRun);
  });
  for (const row of rows) {
    const item = { order_id: row.order_id, item_id: row.item_id };
    const words = () => ({ sentence: explanationText(row, rules, days) });
    if (row.reason) preview.held.push({ ...item, reason: row.reason, until: row.until, ...(explain && words()) });
    else if (row.person === person) preview.send.at(-1)?.items.push(item);
    else preview.send.push({ to: row.to ?? "", at: toIsoSeconds(at), items: [item] });
    if (!row.reason) person = row.person;
  }
  const invited = preview.send.map(({ to }) => to);
  for (const { email, items } of await listDueReminders(client, dayIn(zone, at), invited))
    preview.send.push({ to: email, at: toIsoSeconds(at), items, reminder: true });
  const mailed = preview.send.map(({ to }) => to);
  for (const { customer, items } of await listDueSellerInvitations(client, dayIn(zone, at), mailed))
    preview.send.push({ to: customer.email, at: toIsoSeconds(at), items, seller_only: true });
  if (await hasNoSender(client)) preview.senderNotice = english(NO_SENDER);
  return preview;
}
