import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import { refuseOpenDemo } from "@/lib/accounts/sign-in/demo";
import { type ClientRow, readClient, timeZoneOf } from "@/lib/accounts/stores/get-client";
import type { Day } from "@/lib/invitations/days";
import { explanationText } from "@/lib/invitations/explanations";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import {
  type ItemFacts,
  manualSendRules,
  nextSendMoment,
  planManualSend,
  rulesOf,
  sendHoursOf,
} from "@/lib/invitations/rules";
import type { ManualSendResult } from "@/lib/invitations/schema";
import { recordItemActions } from "@/lib/orders/record-item-actions";
import { dayIn, now } from "@/lib/platform/clock";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import type { Language } from "@/lib/platform/i18n/languages";
import { portalText } from "@/lib/platform/i18n/messages";
import { newId } from "@/lib/platform/ids";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { insertInvitations } from "./insert-invitations";
import { type EvaluatedItem, selectCustomer, selectDecisionsOfOrder, selectRemainingCapacity } from "./rules-sql";
import { lockClient } from "./sql";

/**
 * Sends the email for items of an order now; for all its items without `items`. Skips the wait after delivery and for
 * other items; otherwise the usual rules apply (see {@link planManualSend}), including limit and cooldown.
 * Claims it under the client's lock and sends it immediately, or when the sending hours begin; for a repeated call it
 * is already invited. Returns the items that aren't sent, with the reason as text in `lang`.
 * Throws `not_found` for an order without these items, `forbidden` at an open demo, and `conflict` if no webhook leads
 * to the client's external sender.
 */
export async function sendManually(
  actor: Pick<Actor, "kind" | "id">,
  { id: clientId }: Pick<ClientRow, "id">,
  orderId: string,
  items?: string[],
  lang: Language = "en",
): Promise<ManualSendResult> {
  const t = portalText(lang);
  return transaction(async (db) => {
    await lockClient(db, clientId);
    const client = await readClient(db, clientId); // not cached: a limit lowered a moment ago applies
    if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
    refuseOpenDemo(client);
    if (await hasNoSender(client, db)) throw new AppError("conflict", { reason: "no_sender" });
    const [zone, at] = [timeZoneOf(client), now()];
    const [rules, today] = [rulesOf(client), dayIn(zone, at)];
    const evaluatedItems = await selectDecisionsOfOrder(db, clientId, rules, today, orderId);
    const requestedItems = pickItems(evaluatedItems, orderId, items);
    const [first] = requestedItems;
    const person = first && first.person !== null ? { ...first, invited: first.last_mail } : null; // one order, one person
    const sentToday = rules.limit - (await selectRemainingCapacity(db, clientId, rules, today));
    const { send, held } = planManualSend(
      evaluatedItems,
      (item) => requestedItems.has(item),
      person,
      rules,
      today,
      sentToday,
    );
    if (send.length > 0) await claimItems(db, actor, client, orderId, send, { today, at });
    const days = { today, nextRun: today };
    const moment = nextSendMoment(sendHoursOf(client.config), zone, at);
    return {
      at: send.length > 0 ? toIsoSeconds(moment) : null,
      sent: send.map(({ order_id, item_id }) => ({ order_id, item_id })),
      held: held.map(({ item_id, reason, until }) => {
        const item = evaluatedItems.find((item) => item.order_id === orderId && item.item_id === item_id);
        const closes = item?.closes ?? null;
        return {
          item_id,
          reason,
          until,
          sentence: explanationText(
            { reason, until, closes, ...(item && { cancelled: item.cancelled }) },
            manualSendRules(rules),
            days,
            t,
          ),
        };
      }),
    };
  });
}

/** The named items of the order, or all if none were named. */
function pickItems(
  known: EvaluatedItem[],
  orderId: string,
  named: string[] | undefined,
): Set<ItemFacts> & Set<EvaluatedItem> {
  const own = known.filter(({ order_id }) => order_id === orderId);
  const picked = named === undefined ? own : own.filter(({ item_id }) => named.includes(item_id));
  if (picked.length === 0 || picked.length < new Set(named).size)
    throw new AppError("not_found", { reason: "order_or_item_not_found" });
  return new Set(picked);
}

/** Claims the email as a run does, records who sent it, and starts sending. */
async function claimItems(
  db: Db,
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  orderId: string,
  items: ItemFacts[],
  { today, at }: { today: Day; at: Date },
): Promise<void> {
  const person = items[0]?.person as string;
  const id = newId("inv");
  const itemKeys = items.map(({ order_id, item_id }) => ({ order_id, item_id }));
  const customer = await selectCustomer(db, client.id, person);
  await insertInvitations(db, client.id, today, at, [{ id, email_key: person, items: itemKeys, customer }], {
    kind: "invitation",
    byHand: true,
  });
  await recordItemActions(db, client.id, itemKeys, { action: "sent" }, actor);
  const detail = { items: itemKeys.filter(({ order_id }) => order_id === orderId).map(({ item_id }) => item_id) };
  await recordAudit(db, { clientId: client.id, actor, action: "order.sent", subject: orderId, detail });
  const data = { client_id: client.id, invitation_id: id };
  await enqueue(db, [
    { name: "invitation/scheduled", data },
    { name: "invitation/claimed", data },
  ]);
}
