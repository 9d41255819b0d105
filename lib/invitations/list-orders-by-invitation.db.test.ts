import { expect, it } from "vitest";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { explainOrder } from "@/lib/invitations/explain-order";
import { listOrdersInvitedSoon, listOrdersNotInvited, MAX_SCANNED } from "@/lib/invitations/list-orders-by-invitation";
import { readOrdersToEvaluate, type ScannedOrder } from "@/lib/invitations/list-orders-sql";
import { notInvitedReasons } from "@/lib/invitations/not-invited-reasons";
import { type FilterReason, filterReasons } from "@/lib/invitations/values";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { aClient, anOrder, rowsOf, someProducts, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

const noon = new Date("2026-05-10T12:00:00Z");
const actor = { role: "moderator" as const };

const soonOf = async (client: ClientRow, sort: "soonest" | "latest" = "soonest") => {
  const { orders, details, next } = await listOrdersInvitedSoon({ actor, client }, sort);
  expect(next).toBe(null);
  return orders.map(({ id }) => [id, details.get(id)]);
};

it("lists orders that are invited in the next seven days, by delivery date, on the day their page shows", async () => {
  const { client } = await aClient({ send_emails_after_days: 7, send_emails_before_days: 30 });
  const order = (id: string, dates: (string | null)[], customer: object = {}) =>
    anOrder(client.id, {
      id,
      customer: { id: `of ${id}`, email: `${uniqueName("ada")}@x.example`, ...customer },
      items: dates.map((delivery_date, n) => ({
        id: `${id}-${n}`,
        name: "Lamp",
        ...(delivery_date && { delivery_date }),
      })),
    });
  await order("overdue", ["2026-04-20"]);
  await order("today", ["2026-05-03"]);
  await order("last day", ["2026-05-09"]);
  await order("a day later", ["2026-05-10"]);
  await order("two items", ["2026-05-05", "2026-05-08"]);
  await order("too late", ["2026-04-01"]);
  await order("undated", [null]);
  await order("opted out", ["2026-05-03"], { opt_out: true });
  await order("excluded", ["2026-05-03"]);
  await order("paused", ["2026-05-03"]);
  await order("paused shortly", ["2026-05-04"]);
  await order("invited", ["2026-05-03"]);
  const set = (id: string, what: string) =>
    rowsOf(`update order_items set ${what} where client_id = $1 and order_id = $2`, [client.id, id]);
  await set("excluded", "reviewable = false, reviewable_set = false");
  await set("paused", "held_at = now()");
  await set("paused shortly", "held_at = now(), held_until = '2026-05-14'");
  await rowsOf("insert into invitations (client_id, id, status, day) values ($1, 'inv', 'sent', '2026-05-09')", [
    client.id,
  ]);
  await rowsOf("insert into invitation_items values ($1, 'inv', 'invited', 'invited-0', 0)", [client.id]);
  await withNow(noon, async () => {
    const soonest = await soonOf(client);
    expect(soonest).toEqual([
      ["overdue", "2026-05-10"],
      ["today", "2026-05-10"],
      ["paused shortly", "2026-05-14"],
      ["two items", "2026-05-12"],
      ["last day", "2026-05-16"],
    ]);
    expect((await soonOf(client, "latest")).map(([id]) => id)).toEqual([
      "last day",
      "two items",
      "paused shortly",
      "today",
      "overdue",
    ]);
    // Two items of an order are combined in one email.
    for (const [id = "", day] of soonest.filter(([id]) => id !== "two items"))
      expect([id, (await explainOrder(client, id as string)).get(`${id}-0`)?.day]).toEqual([id, day]);
    expect(await soonOf({ ...client, send_limit: 0 })).toEqual([]);
  });
});

it("lists orders of which nothing is invited, with the reason, as the list of all orders says", async () => {
  const shop = await aClient({ send_emails_after_days: 7, send_emails_before_days: 30, quarantine_period: 60 });
  const { client } = shop;
  const [deleted] = await someProducts(client.id, [{ deleted: true }]);
  const order = (id: string, item: object = {}, customer: object = {}) =>
    anOrder(client.id, {
      id,
      customer: { id: `of ${id}`, email: `${uniqueName("ada")}@x.example`, ...customer },
      items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-01", ...item }],
    });
  await order("due");
  await order("excluded", { reviewable: false });
  await order("held");
  await order("opted_out", {}, { opt_out: true });
  await order("suppressed");
  await order("quarantine");
  await order("already_reviewed", {}, { id: "regular" });
  await order("too_late", { delivery_date: "2026-01-01" });
  await order("not_reviewable", { id: "unknown", name: null });
  await order("product_deleted", { id: deleted });
  await order("no_delivery_date", { delivery_date: null });
  await order("no_email", {}, { email: null });
  await order("failed");
  await order("reviewed by its customer", { delivery_date: "2026-01-01" });
  await anOrder(client.id, {
    id: "partly excluded",
    items: [
      { id: "a", name: "A", delivery_date: "2026-05-01", reviewable: false },
      { id: "b", name: "B", delivery_date: "2026-05-01" },
    ],
  });
  const hash = (of: string, column: string) =>
    `(select ${column} from customers where client_id = $1 and id = 'of ${of}')`;
  await rowsOf("update order_items set held_at = now() where client_id = $1 and order_id = 'held'", [client.id]);
  await rowsOf(
    `insert into suppressions (client_id, email_hash, reason) values ($1, ${hash("suppressed", "email_hash")}, 'bounce')`,
    [client.id],
  );
  await rowsOf(
    `insert into quarantines (client_id, person_hash, last_day) values ($1, ${hash("quarantine", "id_hash")}, '2026-05-09')`,
    [client.id],
  );
  await someReviews(client.id, [{ customer_id: "regular", product_id: "lamp", date: "2026-05-05" }]);
  await someReviews(client.id, [{ order_id: "reviewed by its customer", product_id: "lamp" }]);
  await rowsOf("insert into invitations (client_id, id, status, day) values ($1, 'inv', 'failed', '2026-05-09')", [
    client.id,
  ]);
  for (const order of ["failed", "reviewed by its customer"])
    await rowsOf("insert into invitation_items values ($1, 'inv', $2, 'lamp', 0)", [client.id, order]);
  const { client: other } = await aClient();
  await anOrder(other.id, { items: [{ id: "lamp", name: "Lamp", reviewable: false }] });
  await withNow(noon, async () => {
    const list = async (reason: FilterReason | null, sort: "newest" | "oldest" | "number" | "number_desc") =>
      (await listOrdersNotInvited({ actor, client }, sort, reason)).orders.map(({ id }) => id);
    const ids: string[] = [...filterReasons];
    const { orders, details, next } = await listOrdersNotInvited({ actor, client }, "number", null);
    expect(orders.map(({ id }) => id)).toEqual(ids.toSorted());
    expect(next).toBe(null);
    expect(details).toEqual(new Map(ids.map((reason) => [reason, reason])));
    expect(await notInvitedReasons(client, [...ids, "due", "partly excluded"])).toEqual(details);
    for (const reason of filterReasons)
      for (const sort of ["newest", "oldest", "number", "number_desc"] as const)
        expect([reason, sort, await list(reason, sort)]).toEqual([reason, sort, [reason]]);
    expect(await list(null, "number_desc")).toEqual(ids.toSorted().reverse());
    expect(await list(null, "oldest")).toEqual((await list(null, "newest")).reverse());

    // However many orders are read at a time, and whether an index finds those of the reason or there are too many for that.
    for (const reason of [null, ...filterReasons]) {
      const read = async (maxScanned: number, batch: number) => {
        const ids: string[] = [];
        for (let after: { time: string; id: string } | null = null; ; ) {
          const limits = { expired: "2026-04-10", maxScanned, limit: 1_000, batch };
          let last: ScannedOrder | null = null;
          for await (const { rows, edge } of readOrdersToEvaluate(pool(), client.id, reason, "number", after, limits)) {
            ids.push(...rows.map(({ id }) => id));
            last = edge;
          }
          if (last === null) return ids;
          after = { time: last.created_at.toISOString(), id: last.id };
        }
      };
      const whole = await read(MAX_SCANNED, 1_000);
      expect(whole).toContain(reason ?? "failed");
      for (const [maxScanned, batch] of [
        [MAX_SCANNED, 1],
        [MAX_SCANNED, 2],
        [1, 1],
        [3, 2],
      ] as const)
        expect(await read(maxScanned, batch)).toEqual(whole);
    }
    const first = readOrdersToEvaluate(pool(), client.id, "excluded", "number", null, {
      expired: "2026-04-10",
      maxScanned: 1,
      limit: 1_000,
      batch: 100,
    });
    expect((await first.next()).value).toMatchObject({ rows: [], edge: { id: "already_reviewed" } });
  });
});

it("finds orders by any customer id of an address, and by the address", async () => {
  const { client } = await aClient({ send_emails_after_days: 7, send_emails_before_days: 30, quarantine_period: 60 });
  const order = (id: string, customer: object) =>
    anOrder(client.id, {
      id,
      customer: { id: `of ${id}`, ...customer },
      items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-01" }],
    });
  for (const id of ["invited", "reviewed"]) {
    await order(`${id} by address`, { email: `${id}@x.example` });
    await order(`${id} with another id`, { email: `2-${id}@x.example` });
    await anOrder(client.id, {
      id: `${id} earlier`,
      customer: { id: `other ${id}`, email: `2-${id}@x.example` },
      items: [],
    });
  }
  await rowsOf(
    `insert into quarantines (client_id, person_hash, last_day)
     select $1, case when id = 'other invited' then id_hash else email_hash end, '2026-05-09' from customers
      where client_id = $1 and id in ('of invited by address', 'other invited')`,
    [client.id],
  );
  const review = { product_id: "lamp", date: "2026-05-05" };
  await someReviews(client.id, [
    { ...review, author_email: "reviewed@x.example", email_key: "reviewed@x.example" },
    { ...review, customer_id: "other reviewed" },
  ]);
  await withNow(noon, async () => {
    const { details } = await listOrdersNotInvited({ actor, client }, "number", null);
    expect([...details].toSorted()).toEqual([
      ["invited by address", "quarantine"],
      ["invited with another id", "quarantine"],
      ["reviewed by address", "already_reviewed"],
      ["reviewed with another id", "already_reviewed"],
    ]);
    for (const reason of ["quarantine", "already_reviewed"] as const)
      expect((await listOrdersNotInvited({ actor, client }, "number", reason)).details).toEqual(
        new Map([...details].filter(([, detail]) => detail === reason)),
      );
  });
});

it("lists an order as too late once no email is sent anymore on its last day", async () => {
  const { client } = await aClient({
    send_emails_after_days: 7,
    send_emails_before_days: 30,
    config: { send_hours: [8, 12], time_zone: "UTC" },
  });
  await anOrder(client.id, { id: "last day", items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-04-10" }] });
  const late = async (at: string) =>
    withNow(new Date(at), async () =>
      (await listOrdersNotInvited({ actor, client }, "newest", "too_late")).orders.map(({ id }) => id),
    );
  expect(await late("2026-05-10T11:00:00Z")).toEqual([]);
  expect(await late("2026-05-10T13:00:00Z")).toEqual(["last day"]);
});

it("pages through many orders without leaving any out, reading as much for the first page as with few", async () => {
  const [few, many] = [await aClient({ send_emails_after_days: 7 }), await aClient({ send_emails_after_days: 7 })];
  /** `excluded`: every how many orders an item is; all others are paused, so that each must be evaluated. */
  const fill = async (id: string, count: number, excluded: number, withoutEmail = 0) => {
    const insert = (into: string, values: string) =>
      rowsOf(`insert into ${into} select ${values} from generate_series(1, ${count}) n`, [id]);
    await insert(
      "customers (client_id, id, id_hash, email, email_key)",
      `$1, 'c' || n, 'h' || n, ${["", ""].map(() => `case when n % nullif(${withoutEmail}, 0) = 0 then null else n || '@x.example' end`)}`,
    );
    await insert(
      "orders (client_id, id, customer_id, created_at)",
      `$1, to_char(n, 'FM000000'), 'c' || n, now() - n * interval '1 minute'`,
    );
    await insert(
      "order_items (client_id, order_id, id, position, reviewable, reviewable_set, delivery_date, held_at)",
      `$1, to_char(n, 'FM000000'), 'lamp', 0, n % ${excluded} <> 0, case when n % ${excluded} = 0 then false end,
       current_date - 7 - n % 3, case when n % 7 = 0 then now() end`,
    );
  };
  await fill(few.id, 1_500, 10);
  await fill(many.id, 20_000, 10, 41);
  for (const table of ["customers", "orders", "order_items"]) await rowsOf(`analyze ${table}`);
  const first = {
    excluded: ({ client }: typeof few) => listOrdersNotInvited({ actor, client }, "newest", "excluded"),
    oldest: ({ client }: typeof few) => listOrdersNotInvited({ actor, client }, "oldest", "excluded"),
    any: ({ client }: typeof few) => listOrdersNotInvited({ actor, client }, "number", null),
    rare: ({ client }: typeof few) => listOrdersNotInvited({ actor, client }, "newest", "opted_out"),
    undated: ({ client }: typeof few) => listOrdersNotInvited({ actor, client }, "oldest", "no_delivery_date"),
    soon: ({ client }: typeof few) => listOrdersInvitedSoon({ actor, client }, "soonest"),
  };
  for (const [name, list] of Object.entries(first)) {
    const [less, more] = [await totalQueryCost(() => list(few)), await totalQueryCost(() => list(many))];
    // A page that finds less reads an order, its item and customer, and that by the address, and the edge by the index.
    const max = ["soon", "any", "undated"].includes(name) ? 1.5 * less.read : 5 * MAX_SCANNED + 600;
    expect([name, more.read <= max, more.read]).toEqual([name, true, more.read]);
  }
  const pages = async (load: (after?: string) => Promise<{ orders: { id: string }[]; next: string | null }>) => {
    const ids: string[] = [];
    for (let after: string | undefined; ; ) {
      const { orders, next } = await load(after);
      ids.push(...orders.map(({ id }) => id));
      if (next === null) return ids;
      after = next;
    }
  };
  const isExcluded = (n: number) => n % 10 === 0;
  const name = (n: number) => String(n).padStart(6, "0");
  const numbers = Array.from({ length: 1_500 }, (_, index) => index + 1);
  for (const sort of ["newest", "number_desc"] as const) {
    const expected = numbers.filter(isExcluded).map(name);
    expect(
      await pages((after) => listOrdersNotInvited({ actor, client: few.client, after }, sort, "excluded")),
    ).toEqual(sort === "newest" ? expected : expected.toReversed());
  }
  // Each page reads several steps, and the last of them only in part.
  const unreachable = Array.from({ length: 20_000 }, (_, index) => index + 1).filter(
    (n) => n % 41 === 0 && !isExcluded(n) && n % 7 !== 0,
  );
  for (const sort of ["newest", "number_desc"] as const) {
    const expected = unreachable.map(name);
    expect(
      await pages((after) => listOrdersNotInvited({ actor, client: many.client, after }, sort, "no_email")),
    ).toEqual(sort === "newest" ? expected : expected.toReversed());
  }
  const soon = await pages((after) => listOrdersInvitedSoon({ actor, client: few.client, after }, "latest"));
  expect(soon.toSorted()).toEqual(numbers.filter((n) => !isExcluded(n) && n % 7 !== 0).map(name));
  expect(new Set(soon).size).toBe(soon.length);
}, 120_000);

it("refuses cursors of other lists", async () => {
  const { client } = await aClient();
  const list = (after: string) => listOrdersNotInvited({ actor, client, after }, "newest", null);
  await expect(list("nonsense")).rejects.toMatchObject({ code: "invalid_cursor" });
  await expect(listOrdersInvitedSoon({ actor, client, after: "nonsense" }, "latest")).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});
