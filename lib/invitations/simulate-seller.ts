import { addDays, type Day } from "@/lib/invitations/days";
import {
  byDeliveryDate,
  evaluateItem,
  type ItemFacts,
  type PersonFacts,
  REVIEW_INTERVAL_DAYS,
  type SendRules,
  sellerAvailableFrom,
  sellerWindow,
} from "@/lib/invitations/rules";

export type SellerMail = { day: Day; person: string; items: ItemFacts[] };

/** The state of everything else after the simulated days. `people` are as on the first day, `known` as on the last. */
type ItemSimulation = {
  items: ItemFacts[];
  people: ReadonlyMap<string, PersonFacts>;
  finalPeople: ReadonlyMap<string, PersonFacts>;
  results: ReadonlyMap<ItemFacts, { day: Day | null }>;
  mails: { day: Day }[];
};

type SellerItem = { item: ItemFacts; opens: Day; closes: Day };
type WaitingPerson = { person: string; sellerItems: SellerItem[]; next: Day };

/**
 * Simulates seller-only invitations by the rules of {@link planSellerDay}, with what other emails leave of each day's
 * limit. A person's turn comes when everything else is asked or over, so it can run after all other emails are known.
 */
export function* simulateSellerMails(
  itemSimulation: ItemSimulation,
  rules: SendRules,
  { from, to, sentToday }: { from: Day; to: Day; sentToday: number },
): Generator<Day, SellerMail[]> {
  const sent = new Map<Day, number>([[from, sentToday]]);
  for (const { day } of itemSimulation.mails) sent.set(day, (sent.get(day) ?? 0) + 1);
  let waitingPeople = findWaitingPeople(itemSimulation, rules, from);
  const mails: SellerMail[] = [];
  for (let day = from; day <= to && waitingPeople.length > 0; day = addDays(day, 1)) {
    waitingPeople = waitingPeople.flatMap((one) => {
      const openItems = one.sellerItems.filter(({ closes }) => closes >= day);
      return openItems.length > 0 ? [{ ...one, sellerItems: openItems }] : [];
    });
    const due = waitingPeople
      .filter(({ next }) => next <= day)
      .flatMap(({ person, sellerItems }) => {
        const items = sellerItems.filter(({ opens }) => opens <= day).map(({ item }) => item);
        return items.length > 0 ? [{ day, person, items: items.toSorted(byDeliveryDate) }] : [];
      })
      .sort((a, b) => byDeliveryDate(a.items[0] as ItemFacts, b.items[0] as ItemFacts));
    const toSend = due.slice(0, Math.max(0, rules.limit - (sent.get(day) ?? 0)));
    mails.push(...toSend);
    const next = addDays(day, Math.max(1, rules.quarantineDays));
    for (const { person, items } of toSend) {
      const orders = new Set(items.map(({ order_id }) => order_id));
      waitingPeople = waitingPeople.map((one) =>
        one.person === person
          ? { ...one, next, sellerItems: one.sellerItems.filter(({ item }) => !orders.has(item.order_id)) }
          : one,
      );
    }
    yield day;
  }
  return mails;
}

/** People with an item that can represent an order, and the first day on which nothing else prevents it. */
function findWaitingPeople(
  { items, people, finalPeople, results }: ItemSimulation,
  rules: SendRules,
  from: Day,
): WaitingPerson[] {
  const invitedOrders = new Set(
    items.flatMap((item) => (item.invited || results.get(item)?.day ? [item.order_id] : [])),
  );
  const waitingPeople = new Map<string, WaitingPerson>();
  for (const item of items) {
    const person = item.person === null ? undefined : finalPeople.get(item.person);
    if (!person || item.person === null || person.opted_out || person.suppressed) continue;
    const window = sellerWindow(item, rules);
    if (!window || invitedOrders.has(item.order_id)) continue;
    const one = waitingPeople.get(item.person) ?? {
      person: item.person,
      sellerItems: [],
      next: sellerAvailableFrom(person, rules),
    };
    one.sellerItems.push({ item, ...window });
    waitingPeople.set(item.person, one);
  }
  for (const item of items) {
    const one = item.person === null ? undefined : waitingPeople.get(item.person);
    const person = people.get(item.person ?? "");
    if (!one || !person) continue;
    const { ready, closes } = evaluateItem(item, person, rules, from);
    const isReviewTooRecent =
      item.reviewed !== null && closes !== null && addDays(item.reviewed, REVIEW_INTERVAL_DAYS) > closes;
    const held = item.held_until !== null && closes !== null && item.held_until > closes;
    if (ready === null || closes === null || isReviewTooRecent || held || rules.afterDays > rules.beforeDays) continue;
    const over = results.get(item)?.day ?? addDays(closes, 1);
    if (over > one.next) one.next = over;
  }
  return [...waitingPeople.values()];
}
