import { addDays, type Day } from "@/lib/invitations/days";
import { type ItemFacts, type PersonFacts, rulesOf, type SendRules } from "@/lib/invitations/rules";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { makeClient } from "@/lib/tools/test/invitation-rows";

/**
 * Simulates a store's year: written to the database day by day and recorded in memory, so that the service's results
 * can be checked against what happened instead of its own records. The same seed creates the same year.
 */

export const ZONE = "Europe/Berlin";
const FIRST = "2026-01-01";

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Settings = {
  send_emails_after_days: number;
  send_emails_before_days: number;
  quarantine_period: number | null;
  send_limit: number;
  contract_send_limit: number | null;
  hours: [number, number];
};
/** `since`: the first day on which something prevents an email. */
export type YearItem = ItemFacts & {
  blockedSince: Day | null;
  reviews: { day: Day; date: Day }[];
  /** periods of holds: from a day until another, or without an end (null) */
  holds: { from: Day; until: Day | null }[];
};
export type YearPerson = PersonFacts & { blockedSince: Day | null };

export type Year = Awaited<ReturnType<typeof simulateYear>>;

export async function simulateYear(
  client: string,
  yearSize: { customers: number; orders: number; days: number },
  seed: number,
) {
  const random = seededRandom(seed);
  const randomBelow = (max: number) => Math.floor(random() * max);
  const between = (min: number, max: number) => min + randomBelow(max - min + 1);
  const randomlyTrue = (share: number) => random() < share;
  const pick = <T>(list: readonly T[]): T => list[randomBelow(list.length)] as T;

  const days = Array.from({ length: yearSize.days }, (_, index) => addDays(FIRST, index));
  const products = Array.from({ length: 60 }, (_, index) => `p${index}`);
  const deletedProducts = new Set<string>();
  const perDay = yearSize.orders / yearSize.days;
  const settings = new Map<Day, Settings>();
  const items = new Map<string, YearItem>();
  const people = new Map<string, YearPerson>();
  const emails: (string | null)[] = [];
  /** items in order of arrival */
  const itemsByArrival: YearItem[] = [];
  const recentItems = (days: number) => itemsByArrival.slice(-Math.max(20, Math.ceil(perDay * days * 2)));
  /** what was decided at dawn but not sent: only the sender can notice what happens to it now */
  let pending: { items: YearItem[]; people: string[]; doubtful: ReadonlySet<YearItem> } = {
    items: [],
    people: [],
    doubtful: new Set(),
  };
  /**
   * A random item, often a pending one. Draws the same number of random values either way, so that days are
   * reproducible.
   */
  const someItem = (days: number): YearItem => {
    const fromPending = randomlyTrue(0.4) && pending.items.length > 0;
    return pick(fromPending ? pending.items : recentItems(days));
  };
  /** by person and product: reviews by anyone with the address, whatever their order */
  const reviews = new Map<string, { day: Day; date: Day }[]>();

  await makeClient(client, {
    config: { time_zone: ZONE },
    // Short, so that a year of emails doesn't fill the memory.
    ...{ display_name: "Year" },
  });
  await makePeople();
  await pool().query(
    "insert into products (client_id, id, family_id, name) select $1, id, id, id from unnest($2::text[]) id",
    [client, products],
  );
  const ordersOf = new Map<Day, number[]>();
  for (let n = 0; n < yearSize.orders; n += 1) {
    const day = pick(days);
    ordersOf.set(day, [...(ordersOf.get(day) ?? []), n]);
  }

  async function makePeople(): Promise<void> {
    const rows = Array.from({ length: yearSize.customers }, (_, n) => {
      // Some people have two customer ids with one address in different spellings; some have no address.
      const email = randomlyTrue(0.04)
        ? null
        : n > 0 && randomlyTrue(0.06)
          ? (emails[n - 1] ?? null)
          : `k${n}@mail.example`;
      emails.push(email);
      const optedOut = randomlyTrue(0.02);
      if (email !== null) {
        const known = people.get(email);
        const none = { opted_out: false, suppressed: false, invited: null, rated_shop: null, blockedSince: null };
        people.set(email, { ...(known ?? none), ...(optedOut && { opted_out: true, blockedSince: FIRST }) });
      }
      return {
        id: `c${n}`,
        email: email && randomlyTrue(0.3) ? ` ${email.toUpperCase()}` : email,
        email_key: email,
        id_hash: personHash(client, "customer", `c${n}`),
        email_hash: email && personHash(client, "email", email),
        opted: optedOut,
      };
    });
    await pool().query(
      `insert into customers (client_id, id, email, email_key, id_hash, email_hash, opt_out_by_order)
       select $1, id, email, email_key, id_hash, email_hash, opted from jsonb_to_recordset($2::jsonb)
         as g(id text, email text, email_key text, id_hash text, email_hash text, opted boolean)`,
      [client, JSON.stringify(rows)],
    );
  }

  async function addOrders(day: Day): Promise<void> {
    const orders: { id: string; customer: string }[] = [];
    const lines: object[] = [];
    for (const n of ordersOf.get(day) ?? []) {
      const order_id = `o${n}`;
      const customer = randomBelow(yearSize.customers);
      orders.push({ id: order_id, customer: `c${customer}` });
      for (const item_id of new Set(Array.from({ length: between(1, 3) }, () => pick(products)))) {
        const delivery_date = randomlyTrue(0.03) ? null : addDays(day, between(-3, 8));
        const reviewable = !randomlyTrue(0.03);
        lines.push({ order_id, item_id, delivery_date, reviewable });
        const item: YearItem = {
          order_id,
          item_id,
          delivery_date,
          reviewable,
          cancelled: false,
          held: false,
          held_until: null,
          holds: [],
          invited: false,
          answered: false,
          product_deleted: deletedProducts.has(item_id),
          reviewed: null,
          person: emails[customer] ?? null,
          blockedSince: null,
          // of a product that the person may have reviewed before
          reviews: [...(reviews.get(JSON.stringify([emails[customer] ?? null, item_id])) ?? [])],
        };
        item.reviewed = item.reviews.at(-1)?.date ?? null;
        items.set(JSON.stringify([order_id, item_id]), item);
        itemsByArrival.push(item);
      }
    }
    if (orders.length === 0) return;
    await pool().query(
      `insert into orders (client_id, id, customer_id) select $1, id, customer from jsonb_to_recordset($2::jsonb) as g(id text, customer text)`,
      [client, JSON.stringify(orders)],
    );
    await pool().query(
      `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable)
       select $1, order_id, item_id, 1, delivery_date, reviewable from jsonb_to_recordset($2::jsonb)
         as g(order_id text, item_id text, delivery_date date, reviewable boolean)`,
      [client, JSON.stringify(lines)],
    );
  }

  async function changeSettings(day: Day): Promise<void> {
    const after = between(0, 9);
    const newSettings: Settings = {
      send_emails_after_days: after,
      send_emails_before_days: after + between(5, 50),
      quarantine_period: randomlyTrue(0.3) ? null : between(0, 25),
      // From far too low to more than enough.
      send_limit: Math.max(1, Math.ceil(perDay * (settings.size === 0 ? 0.3 : pick([0.3, 0.6, 1.5, 4])))),
      contract_send_limit: null,
      hours: pick([
        [0, 24],
        [8, 20],
        [9, 17],
      ] as [number, number][]),
    };
    settings.set(day, newSettings);
    const { hours, ...columns } = newSettings;
    const config = {
      time_zone: ZONE,
      send_hours: hours,
      html_template: '<a href="{{ review_url }}">Review</a> <a href="{{ opt_out_url }}">Stop</a>',
      text_template: "{{ review_url }} {{ opt_out_url }}",
    };
    await pool().query(
      `update clients set send_emails_after_days = $2, send_emails_before_days = $3, quarantine_period = $4, send_limit = $5, config = $6
        where id = $1`,
      [client, after, columns.send_emails_before_days, columns.quarantine_period, columns.send_limit, config],
    );
  }

  async function loadPendingInvitations(): Promise<void> {
    const { rows } = await pool().query<{ email_key: string; order_id: string; item_id: string; doubtful: boolean }>(
      `select n.email_key, i.order_id, i.item_id, coalesce(m.doubtful_since, m.handed_at) is not null as doubtful
         from invitations n join invitation_items i on i.client_id = n.client_id and i.invitation_id = n.id
         left join mails m on m.id = n.mail_id
        where n.client_id = $1 and n.status = 'claimed' order by 1, 2, 3`,
      [client],
    );
    const of = (given: typeof rows) =>
      given.flatMap(({ order_id, item_id }) => items.get(JSON.stringify([order_id, item_id])) ?? []);
    const certain = rows.filter(({ doubtful }) => !doubtful);
    pending = {
      items: of(certain),
      people: [...new Set(certain.map(({ email_key }) => email_key))].filter((email) => people.has(email)),
      doubtful: new Set(of(rows.filter(({ doubtful }) => doubtful))),
    };
  }

  async function optOutOrBounce(day: Day): Promise<void> {
    const fromPending = randomlyTrue(0.7) && pending.people.length > 0;
    const email = pick(fromPending ? pending.people : [...people.keys()]);
    const person = people.get(email) as YearPerson;
    const reason = randomlyTrue(0.6) ? "opt_out" : "bounce";
    const hash = personHash(client, "email", email);
    if (person.opted_out || person.suppressed) return;
    people.set(email, {
      ...person,
      ...(reason === "opt_out" ? { opted_out: true } : { suppressed: true }),
      blockedSince: day,
    });
    await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, $3)", [
      client,
      hash,
      reason,
    ]);
  }

  /** Changes an item of an order: cancels it, holds it, resumes it, or moves its delivery date. */
  async function changeItem(day: Day): Promise<void> {
    const item = someItem(randomlyTrue(0.5) ? 5 : 20);
    const what = pick(["cancel", "hold", "hold until", "hold until", "release", "postpone"] as const);
    const [later, heldFor] = [addDays(day, between(1, 6)), addDays(day, between(1, 25))];
    // If an email may have been sent, it can't be decided whether it was too early.
    if (what === "postpone" && (item.invited || pending.doubtful.has(item))) return;
    const set = {
      cancel: "reviewable = false, reviewable_set = false",
      hold: "held_at = now(), held_until = null",
      "hold until": "held_at = now(), held_until = $4",
      release: "held_at = null, held_until = null",
      postpone: "delivery_date = $4",
    };
    if (what === "cancel") {
      Object.assign(item, { reviewable: false, cancelled: true });
      item.blockedSince ??= day;
    } else if (what === "postpone") item.delivery_date = later;
    else hold(item, day, what === "hold until" ? heldFor : what === "hold" ? null : day);
    const given = what === "hold until" ? [item.held_until] : what === "postpone" ? [item.delivery_date] : [];
    await pool().query(`update order_items set ${set[what]} where client_id = $1 and order_id = $2 and id = $3`, [
      client,
      item.order_id,
      item.item_id,
      ...given,
    ]);
  }

  /** Holds an item from `day` until a day or without an end (null). Until the same day: resumes it. */
  function hold(item: YearItem, day: Day, until: Day | null): void {
    const last = item.holds.at(-1);
    if (last && (last.until === null || last.until > day)) last.until = day;
    item.held = until === null;
    item.held_until = until === day ? null : until;
    if (until !== day) item.holds.push({ from: day, until });
  }

  async function deleteProduct(day: Day): Promise<void> {
    const product = pick(products);
    if (deletedProducts.has(product) || deletedProducts.size > products.length / 4) return;
    deletedProducts.add(product);
    for (const item of items.values())
      if (item.item_id === product) {
        item.product_deleted = true;
        item.blockedSince ??= day;
      }
    await pool().query("update products set deleted = true where client_id = $1 and id = $2", [client, product]);
  }

  let written = 0;
  /** A customer reviews a purchased product, with or without its order. */
  async function review(day: Day): Promise<void> {
    const item = someItem(60);
    const own = randomlyTrue(0.5);
    if (item.person === null) return;
    const found = { day, date: day };
    const key = JSON.stringify([item.person, item.item_id]);
    reviews.set(key, [...(reviews.get(key) ?? []), found]);
    for (const other of items.values())
      if (other.person === item.person && other.item_id === item.item_id) {
        other.reviews.push(found);
        other.reviewed = day;
      }
    if (own) item.answered = true;
    await pool().query(
      `insert into reviews (client_id, id, source, product_id, score, date, email_key, feedback_token, order_id)
       values ($1, $2, 'web', $3, 4, $4, $5, $2, $6)`,
      [client, `${client}-${++written}`, item.item_id, day, item.person, own ? item.order_id : null],
    );
  }

  return {
    days,
    items,
    people,
    random,
    chance: randomlyTrue,
    /** what happens on a day before anything is sent */
    async simulateMorning(day: Day): Promise<void> {
      const index = days.indexOf(day);
      if (index === 0 || randomlyTrue(1 / 15)) await changeSettings(day);
      await addOrders(day);
      if (items.size === 0) return;
      await loadPendingInvitations();
      const randomCount = (share: number) => Math.floor(perDay * share + random());
      for (let n = randomCount(0.08); n > 0; n -= 1) await optOutOrBounce(day);
      for (let n = randomCount(0.5); n > 0; n -= 1) await changeItem(day);
      for (let n = randomCount(0.6); n > 0; n -= 1) await review(day);
      if (randomlyTrue(0.03)) await deleteProduct(day);
    },
    /** an order of the last days */
    recentOrderId: (): string => pick(recentItems(12)).order_id,
    /** the settings in effect on a day */
    settingsOn(day: Day): Settings {
      const since = [...settings.keys()].filter((from) => from <= day).at(-1) as Day;
      return settings.get(since) as Settings;
    },
    rulesOn(day: Day): SendRules {
      return rulesOf(this.settingsOn(day));
    },
  };
}

/** The hour of a time in the store's time zone. */
export const hourOf = (moment: Date): number =>
  Number.parseInt(
    new Intl.DateTimeFormat("en-GB", { timeZone: ZONE, hour: "2-digit", hourCycle: "h23" }).format(moment),
    10,
  );
export const dayOf = (moment: Date): Day => dayIn(ZONE, moment);
