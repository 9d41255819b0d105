import { addDays, type Day } from "@/lib/invitations/days";
import {
  byAge,
  type ItemFacts,
  judgeItem,
  type PersonFacts,
  REVIEWED_DAYS,
  type SendRules,
  sellerFree,
  sellerWindow,
} from "@/lib/invitations/rules";

export type SellerMail = { day: Day; person: string; items: ItemFacts[] };

/** What became of everything else when the days were over. `people` are as on the first day, `known` as on the last. */
type Played = {
  items: ItemFacts[];
  people: ReadonlyMap<string, PersonFacts>;
  known: ReadonlyMap<string, PersonFacts>;
  fates: ReadonlyMap<ItemFacts, { day: Day | null }>;
  mails: { day: Day }[];
};

type Standing = { item: ItemFacts; opens: Day; closes: Day };
type Waiting = { person: string; standing: Standing[]; next: Day };

/**
 * The mails about the shop alone, as {@link planSeller} lets them go day by day with what other mails leave of the limit.
 * A person's turn comes when everything else that may be asked of them is asked or over; so it can be played after all
 * other mails are known.
 */
export function* simulateSeller(
  played: Played,
  rules: SendRules,
  { from, to, sentToday }: { from: Day; to: Day; sentToday: number },
): Generator<Day, SellerMail[]> {
  const sent = new Map<Day, number>([[from, sentToday]]);
  for (const { day } of played.mails) sent.set(day, (sent.get(day) ?? 0) + 1);
  let waiting = whoWaits(played, rules, from);
  const mails: SellerMail[] = [];
  for (let day = from; day <= to && waiting.length > 0; day = addDays(day, 1)) {
    waiting = waiting.flatMap((one) => {
      const standing = one.standing.filter(({ closes }) => closes >= day);
      return standing.length > 0 ? [{ ...one, standing }] : [];
    });
    const due = waiting
      .filter(({ next }) => next <= day)
      .flatMap(({ person, standing }) => {
        const items = standing.filter(({ opens }) => opens <= day).map(({ item }) => item);
        return items.length > 0 ? [{ day, person, items: items.toSorted(byAge) }] : [];
      })
      .sort((a, b) => byAge(a.items[0] as ItemFacts, b.items[0] as ItemFacts));
    const going = due.slice(0, Math.max(0, rules.limit - (sent.get(day) ?? 0)));
    mails.push(...going);
    const next = addDays(day, Math.max(1, rules.quarantineDays));
    for (const { person, items } of going) {
      const orders = new Set(items.map(({ order_id }) => order_id));
      waiting = waiting.map((one) =>
        one.person === person
          ? { ...one, next, standing: one.standing.filter(({ item }) => !orders.has(item.order_id)) }
          : one,
      );
    }
    yield day;
  }
  return mails;
}

/** Who has something that can stand for an order, and the first day on which nothing else is in the way. */
function whoWaits({ items, people, known, fates }: Played, rules: SendRules, from: Day): Waiting[] {
  const asked = new Set(items.flatMap((item) => (item.invited || fates.get(item)?.day ? [item.order_id] : [])));
  const waiting = new Map<string, Waiting>();
  for (const item of items) {
    const person = item.person === null ? undefined : known.get(item.person);
    if (!person || item.person === null || person.opted_out || person.suppressed) continue;
    const window = sellerWindow(item, rules);
    if (!window || asked.has(item.order_id)) continue;
    const one = waiting.get(item.person) ?? { person: item.person, standing: [], next: sellerFree(person, rules) };
    one.standing.push({ item, ...window });
    waiting.set(item.person, one);
  }
  for (const item of items) {
    const one = item.person === null ? undefined : waiting.get(item.person);
    const person = people.get(item.person ?? "");
    if (!one || !person) continue;
    const { ready, closes } = judgeItem(item, person, rules, from);
    const late = item.reviewed !== null && closes !== null && addDays(item.reviewed, REVIEWED_DAYS) > closes;
    const held = item.held_until !== null && closes !== null && item.held_until > closes;
    if (ready === null || closes === null || late || held || rules.afterDays > rules.beforeDays) continue;
    const over = fates.get(item)?.day ?? addDays(closes, 1);
    if (over > one.next) one.next = over;
  }
  return [...waiting.values()];
}
