import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { reminderDay } from "@/lib/invitations/claim-reminders";
import { addDays, type Day } from "@/lib/invitations/days";
import { explanationText, withSenderNotice } from "@/lib/invitations/explanations";
import { hasNoSender } from "@/lib/invitations/has-no-sender";
import { fittingActions, isUnsentMail } from "@/lib/invitations/item-actions";
import { invitationStageLabels, reminderStageLabels } from "@/lib/invitations/mail-stage-labels";
import { nextRunOf } from "@/lib/invitations/not-invited-reasons";
import {
  allowsSellerOnly,
  evaluateItem,
  type HeldReason,
  manualSendRules,
  rulesOf,
  type SendRules,
} from "@/lib/invitations/rules";
import { type SimulatedItem, simulatedItemKey, simulateToEnd } from "@/lib/invitations/simulate";
import type { ItemAction } from "@/lib/invitations/values";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { english } from "@/lib/platform/i18n/english";
import { formatDay } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type MailRow, type OrderItemRow, selectItemsOfOrder, selectMailsOfOrder } from "./order-history-sql";
import { type EvaluatedItem, selectDecisionsOfOrder, selectRemainingCapacity } from "./rules-sql";

/** A past or future step of an item. `at` is its time, if known more precisely than the day. */
export type TimelineEntry = { day: Day; at: string | null; text: string; ahead: boolean };

export type ItemExplanation = {
  /** why the item isn't invited now; null = its email goes with the next run */
  reason: HeldReason | null;
  /** the first day the reason no longer applies */
  until: Day | null;
  /** the forecast day of its email; null = none will be sent (any more) */
  day: Day | null;
  /** the explanation as text */
  sentence: string;
  /** the store or a person excluded it */
  excluded: boolean;
  /** it can be sent manually now, as far as known */
  sendable: boolean;
  /** what a person can do about it now */
  actions: ItemAction[];
  /** the same for its delivery day, which is in the future */
  sendableLater: boolean;
  /** past and future steps, oldest first */
  timeline: TimelineEntry[];
};

/** Days an email is forecast ahead. */
const FORECAST_DAYS = 4_000;

/**
 * Returns, by item id, the decision on each item of an order: by the rules of the next run, and as a forecast if
 * nothing else happens. The day's limit considers only emails already sent, not those due for other customers. Texts
 * are in the language of `t`. Empty for an unknown order.
 */
export async function explainOrder(
  client: ClientRow,
  orderId: string,
  t: Translate = english,
): Promise<Map<string, ItemExplanation>> {
  const zone = timeZoneOf(client);
  const rules = rulesOf(client);
  const days = { today: dayIn(zone), nextRun: nextRunOf(client) };
  const [evaluated, lines, mails, hasNoWebhook, capacity] = await Promise.all([
    selectDecisionsOfOrder(pool(), client.id, rules, days.nextRun, orderId),
    selectItemsOfOrder(pool(), client.id, orderId),
    selectMailsOfOrder(pool(), client.id, orderId),
    hasNoSender(client),
    selectRemainingCapacity(pool(), client.id, rules, days.today),
  ]);
  const forecasts = forecastItems(evaluated, rules, days.nextRun, allowsSellerOnly(client));
  const reminders = new Map<string, Day>();
  for (const { id, kind, status, day } of mails) {
    const reminder =
      kind === "invitation" && status === "sent" ? await reminderDay(client, id, day, days.nextRun) : null;
    if (reminder) reminders.set(id, reminder);
  }
  const explanations = new Map<string, ItemExplanation>();
  for (const line of lines) {
    const item = evaluated.find(({ order_id, item_id }) => order_id === orderId && item_id === line.item_id);
    if (!item) continue; // posted between the statements; the next call includes it
    const simulated = forecasts.get(simulatedItemKey(item));
    const own = mails.filter(({ item_ids }) => item_ids.includes(line.item_id));
    const { reason, until, closes, cancelled } = item;
    const sendable = !hasNoWebhook && capacity > 0 && isSendable(item, rules, days.today);
    explanations.set(line.item_id, {
      reason,
      until,
      day: simulated?.day ?? null,
      excluded: cancelled,
      sendable,
      actions: fittingActions(item, {
        ...{ rules, today: days.today, sendable },
        isUnsent: own.some(isUnsentMail),
        sellerOnly: allowsSellerOnly(client),
      }),
      sendableLater:
        !hasNoWebhook &&
        rules.limit > 0 &&
        reason === "too_early" &&
        item.delivery_date !== null &&
        item.delivery_date > days.today &&
        isSendable(item, rules, item.delivery_date),
      sentence:
        sentMailText(own, reminders, { zone, today: days.today, hasNoWebhook, t }) ??
        withSenderNotice(
          explanationText({ reason, until, closes, cancelled, ...(simulated && { simulated }) }, rules, days, t),
          hasNoWebhook && !!simulated?.day,
          t,
        ),
      timeline: timelineOf(item, line, own, simulated, { zone, today: days.today, reminders, t }),
    });
  }
  return explanations;
}

/** Whether the item can be sent manually, by the rules of `planManualSend` and if the day's limit has room. */
function isSendable(item: EvaluatedItem, rules: SendRules, today: Day): boolean {
  const person = item.person === null ? null : { ...item, invited: item.last_mail };
  const { reason } = evaluateItem(item, person, manualSendRules(rules), today);
  return reason === null;
}

/** Forecasts the items of one person, if nothing else happens. */
function forecastItems(
  evaluated: EvaluatedItem[],
  rules: SendRules,
  today: Day,
  sellerOnly: boolean,
): Map<string, SimulatedItem> {
  const people = new Map(
    evaluated.flatMap(({ person, opted_out, suppressed, last_mail, rated_shop }) =>
      person === null ? [] : [[person, { opted_out, suppressed, invited: last_mail, rated_shop }] as const],
    ),
  );
  const limited = evaluated.some(({ reason }) => reason === "send_limit");
  if (rules.limit === 0) return new Map();
  const { simulatedItems } = simulateToEnd(evaluated, people, rules, {
    from: today,
    to: addDays(today, FORECAST_DAYS),
    sentToday: limited ? rules.limit : 0,
    sellerOnly,
  });
  return new Map(simulatedItems.map((simulatedItem) => [simulatedItemKey(simulatedItem.item), simulatedItem]));
}

type TextContext = { zone: string; today: Day; t: Translate };

/** What happened to an invited item's email and its reminder. Null if there is none. */
function sentMailText(
  mails: MailRow[],
  reminders: Map<string, Day>,
  { zone, today, hasNoWebhook, t }: TextContext & { hasNoWebhook: boolean },
): string | null {
  const mail = mails.find(({ kind }) => kind !== "reminder");
  if (!mail) return null;
  const on = (at: Date) => ({ day: formatDay(dayIn(zone, at), t.language) });
  if (mail.sent_at === null) {
    if (mail.error === "store_moved") return t("orders.notSentMoved");
    if (mail.status === "failed") return mail.handed_at ? t("orders.notSentExternal") : t("orders.notSentService");
    return hasNoWebhook
      ? withSenderNotice(t("orders.notSentYet", on(mail.claimed_at)), true, t)
      : t("orders.sending", on(mail.claimed_at));
  }
  if (mail.untold) return withSenderNotice(t("orders.notPassedYet", on(mail.claimed_at)), hasNoWebhook, t);
  const sent = sentOnText(mail, on(mail.sent_at), t);
  if (mail.untaken) return t("orders.sentNotAccepted", { sent });
  if (mail.bounced_at) return t("orders.sentBounced", { sent });
  const reminder = mails.find(({ kind, untaken }) => kind === "reminder" && !untaken);
  if (reminder?.sent_at) return t("orders.sentWithReminder", { sent, ...on(reminder.sent_at) });
  const coming = reminders.get(mail.id);
  if (!coming) return `${sent}.`;
  return coming === today
    ? t("orders.reminderToday", { sent })
    : t("orders.reminderEarliest", {
        sent,
        day: formatDay(coming, t.language),
      });
}

function sentOnText({ kind, handed_at }: MailRow, on: { day: string }, t: Translate): string {
  if (kind === "seller") return handed_at ? t("orders.sellerPassedOn", on) : t("orders.sellerSentOn", on);
  return handed_at ? t("orders.passedOn", on) : t("orders.sentOn", on);
}

function timelineOf(
  item: EvaluatedItem,
  { received_at, held_at, held_until, notes, reviews }: OrderItemRow,
  mails: MailRow[],
  simulatedItem: SimulatedItem | undefined,
  { zone, today, reminders, t }: TextContext & { reminders: Map<string, Day> },
): TimelineEntry[] {
  const happened = (at: Date | null, text: string): TimelineEntry[] =>
    at === null ? [] : [{ day: dayIn(zone, at), at: toIsoSeconds(at), text, ahead: false }];
  const onDay = (day: Day | null, text: string, coming = text): TimelineEntry[] =>
    day === null ? [] : [{ day, at: null, text: day > today ? coming : text, ahead: day > today }];
  const isInvited = mails.length > 0;
  // An item is in one email at a time: those of earlier decisions were withdrawn.
  const lastSent = notes.findLast(({ action }) => action === "sent");
  const sentByHand = mails.some(({ by_hand }) => by_hand);
  const open = !isInvited && (item.until !== null || item.reason === null || item.reason === "send_limit");
  const steps = [
    ...happened(received_at, t("orders.stepOrderReceived")),
    ...onDay(item.delivery_date, t("orders.stepDelivered"), t("orders.stepDeliveryExpected")),
    ...(open ? onDay(item.opens, t("orders.stepFirstDay")) : []),
    ...(item.reason === "quarantine" ? onDay(item.last_mail, t("orders.stepOtherEmail")) : []),
    // Items paused before decisions were recorded have only a date.
    ...(notes.length === 0 ? happened(held_at, t("orders.stepPausedInPortal")) : []),
    ...notes.flatMap((decision) =>
      happened(new Date(decision.at), decisionLabel(decision, decision === lastSent && sentByHand, t)),
    ),
    ...(held_at && held_until && held_until > today
      ? [{ day: held_until, at: null, text: t("orders.stepPauseEnds"), ahead: true }]
      : []),
    ...mails.flatMap((mail) => {
      const of = mail.kind === "reminder" ? reminderStageLabels : invitationStageLabels;
      return [
        ...happened(mail.claimed_at, t(of.planned)),
        ...happened(mail.untold ? null : (mail.handed_at ?? mail.sent_at), t(of[sendStage(mail)])),
        ...happened(mail.delivered_at, t(of.delivered)),
        ...happened(mail.bounced_at, t(of.bounced)),
        ...happened(mail.opened_at, t(of.opened)),
        ...happened(mail.clicked_at, t("orders.stepLinkOpened")),
      ];
    }),
    ...reviews.flatMap(({ at, score }) => happened(new Date(at), t("orders.stepReviewReceived", { score }))),
    ...mails.flatMap(({ id }) =>
      onDay(reminders.get(id) ?? null, t("orders.stepReminderPossible"), t("orders.stepReminderAhead")),
    ),
    ...(simulatedItem?.seller
      ? [{ day: simulatedItem.seller, at: null, text: t("orders.stepSellerAhead"), ahead: true }]
      : []),
    ...(open && simulatedItem?.day
      ? [{ day: simulatedItem.day, at: null, text: t("orders.stepInvitationAhead"), ahead: true }]
      : []),
    ...(open ? onDay(item.closes, t("orders.stepLastDay")) : []),
  ];
  return steps
    .map((step, index) => ({ step, index }))
    .sort(
      (a, b) =>
        compare(a.step.day, b.step.day) ||
        Number(a.step.ahead) - Number(b.step.ahead) ||
        compare(a.step.at ?? "", b.step.at ?? "") ||
        a.index - b.index,
    )
    .map(({ step }) => step);
}

function sendStage({ handed_at, status }: MailRow): "sent" | "delegated" | "notAccepted" {
  if (handed_at === null) return "sent";
  return status === "failed" ? "notAccepted" : "delegated";
}

/** `isCurrent`: a manual email that wasn't withdrawn. */
function decisionLabel(
  { action, until, who }: OrderItemRow["notes"][number],
  isCurrent: boolean,
  t: Translate,
): string {
  const day = until === null ? null : formatDay(until, t.language);
  if (who === null) {
    if (action === "held") return day ? t("orders.stepPausedUntil", { day }) : t("orders.stepPausedIndefinitely");
    if (action === "released") return t("orders.stepResumed");
    if (action === "excluded") return t("orders.stepExcluded");
    if (action === "included") return t("orders.stepIncluded");
    return isCurrent ? t("orders.stepSentManually") : t("orders.stepManualCanceled");
  }
  if (action === "held")
    return day ? t("orders.stepPausedUntilBy", { who, day }) : t("orders.stepPausedIndefinitelyBy", { who });
  if (action === "released") return t("orders.stepResumedBy", { who });
  if (action === "excluded") return t("orders.stepExcludedBy", { who });
  if (action === "included") return t("orders.stepIncludedBy", { who });
  return isCurrent ? t("orders.stepSentManuallyBy", { who }) : t("orders.stepManualCanceledBy", { who });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
