import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import * as display from "@/app/onpage/[client_id]/reviews.json/route";
import * as one from "@/app/v1/orders/[id]/route";
import * as orders from "@/app/v1/orders/route";
import * as reviews from "@/app/v1/reviews/route";
import type { Order } from "@/lib/orders/schema";
import type { Review } from "@/lib/reviews/reviews/schema";
import { syncOrderFamilies } from "@/lib/reviews/reviews/sync-families";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { call, readAll } from "@/lib/tools/test/call";
import {
  aClient,
  anOrder,
  aUser,
  hashDatabase,
  rowsOf,
  someProducts,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { expectIssues, expectList } from "@/lib/tools/test/lists";

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
type Item = Order["items"][number];
type Input = Record<string, unknown>;

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [
    { id: "lamp", family_id: "lamps", name: "Lamp", category: "Light", url: "https://shop.example/lamp" },
    { id: "bulb", family_id: "bulbs", name: "Bulb" },
    { id: "gone", family_id: "gone", name: "Gone", deleted: true },
  ]);
});

const post = (order: unknown, client = shop) =>
  call(orders, "POST", "/v1/orders", { key: client.key, body: { order } });
const postOrder = async (order: Input, client = shop): Promise<Order> => {
  const answer = await post(order, client);
  expect(answer.text).toMatch(/^\{"data":\[/);
  expect(answer.status).toBe(200);
  return answer.json.data[0];
};
const item = (order: Order, id: string) => order.items.find((found) => found.id === id) as Item;

describe("POST /v1/orders", () => {
  it("knows whether an item was excluded before its delivery, before the first day to ask about it, or later", async () => {
    const own = await aClient({ send_emails_after_days: 7 });
    const today = Date.now();
    const day = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10);
    const send = (id: string, delivery_date: string | null, reviewable?: boolean) =>
      postOrder({ id, customer: { id: "ann" }, items: [{ id: "lamp", name: "Lamp", delivery_date, reviewable }] }, own);
    const delivered: Record<string, string | null> = {
      ahead: day(5),
      "on the day": day(0),
      early: day(-4),
      late: day(-8),
      undated: null,
      "dated late": null,
    };
    for (const [id, date] of Object.entries(delivered)) await send(id, date);
    await send("came excluded", day(-8), false);
    await send("came excluded without a date", null, false);
    for (const [id, date] of Object.entries(delivered)) await send(id, id === "dated late" ? day(-8) : date, false);
    const found = async () =>
      Object.fromEntries(
        (await rowsOf("select order_id, canceled, withheld_late from order_items where client_id = $1", [own.id])).map(
          ({ order_id, canceled, withheld_late }) => [
            order_id,
            canceled ? "canceled" : withheld_late ? "late" : "early",
          ],
        ),
      );
    const expected = {
      ahead: "canceled",
      "on the day": "canceled",
      early: "early",
      late: "late",
      undated: "canceled",
      "dated late": "early",
      "came excluded": "early",
      "came excluded without a date": "early",
    };
    expect(await found()).toEqual(expected);
    // Sending it again, also with another day, changes nothing.
    for (const id of Object.keys(expected)) await send(id, day(-30), false);
    expect(await found()).toEqual(expected);
    for (const id of Object.keys(expected)) {
      await send(id, day(-4), true);
      await send(id, day(-4), false);
    }
    expect(new Set(Object.values(await found()))).toEqual(new Set(["early"]));
  });

  it("accepts whole numbers as ids, and converts times to days in the client's time zone", async () => {
    const own = await aClient({ config: { time_zone: "Europe/Stockholm" } });
    const delivered: [id: number, given: string, day: string][] = [
      [1, "2026-02-28T23:30:00Z", "2026-03-01"],
      [2, "2026-02-28T22:30:00.123Z", "2026-02-28"],
      [3, "2026-07-31T22:30:00+00:00", "2026-08-01"],
      [4, "2026-03-01T00:30:00+0900", "2026-02-28"],
      [5, "2026-02-28 23:30:00", "2026-02-28"],
      [6, "2026-02-28T23:30", "2026-02-28"],
      [7, "2026-02-28", "2026-02-28"],
    ];
    const items = delivered.map(([id, delivery_date]) => ({ id, delivery_date, name: "Lamp", family_id: 70 + id }));
    const order = await postOrder({ id: 1001, customer: { id: 42 }, items } as unknown as Input, own);
    expect([order.id, order.customer.id]).toEqual(["1001", "42"]);
    expect(order.items.map(({ id, delivery_date }) => [id, delivery_date])).toEqual(
      delivered.map(([id, , day]) => [String(id), day]),
    );
    expect(order.items[0]!.family_id).toBe("71");
  });

  it("accepts the same values for a review's order, and returns the same family everywhere", async () => {
    const own = await aClient({ config: { time_zone: "Europe/Stockholm" } });
    const bought = { id: 8, name: "Lamp", delivery_date: "2026-02-28T23:30:00Z" };
    const review = { author: "Ada", score: 5, accepted: true, order: { id: 2002, customer: { id: 42 }, item: bought } };
    const made = await call(reviews, "POST", "/v1/reviews", { key: own.key, body: { review } });
    expect(made.status).toBe(201);
    const order = (await call(one, "GET", "/v1/orders/2002", { key: own.key })).json.data as Order;
    expect(item(order, "8")).toMatchObject({ delivery_date: "2026-03-01", family_id: "8" });
    const listed = await call(reviews, "GET", "/v1/reviews", { key: own.key });
    expect(listed.json.data[0]).toMatchObject({ order_id: "2002", product_ids: ["8"], family_ids: ["8"] });
    for (const name of ["key=8", "url_key=8"]) {
      const shown = await call(display, "GET", `/onpage/${own.id}/reviews.json?${name}`);
      expect([name, shown.json.your_review_count]).toEqual([name, 1]);
    }
  });

  it("gives reviews of an item that isn't in the catalog the family from a later order", async () => {
    const own = await aClient();
    const of = (id: string) => ({
      author: "Ada",
      score: 5,
      accepted: true,
      order: { id, customer: { id: "c" }, item: { id: "8" } },
    });
    for (const id of ["1", "2"])
      expect((await call(reviews, "POST", "/v1/reviews", { key: own.key, body: { review: of(id) } })).status).toBe(201);
    const families = async () =>
      (await call(reviews, "GET", "/v1/reviews", { key: own.key })).json.data.map(
        (review: Review) => review.family_ids,
      );
    const follow = async () => {
      const news = await rowsOf(
        "delete from outbox where client_id = $1 and name = 'order/family_given' returning data",
        [own.id],
      );
      for (const { data } of news) await syncOrderFamilies(own.id, data.product_ids);
      return news.length;
    };
    expect(await follow()).toBe(0);
    expect(await families()).toEqual([["8"], ["8"]]);

    const later = (id: string, family_id: string) =>
      postOrder({ id, customer: { id: "d" }, items: [{ id: "8", family_id }] }, own);
    await later("3", "lamps");
    expect(await follow()).toBe(1);
    expect(await families()).toEqual([["lamps"], ["lamps"]]);
    const shown = await call(display, "GET", `/onpage/${own.id}/reviews.json?url_key=lamps`);
    expect(shown.json.your_review_count).toBe(2);

    await later("4", "lamps");
    expect(await follow()).toBe(0);
    await later("1", "lights");
    expect(await follow()).toBe(1);
    expect(await families()).toEqual([["lights"], ["lights"]]);

    await someProducts(own.id, [{ id: "8", family_id: "known" }]);
    await later("5", "other");
    expect(await follow()).toBe(0);
    await syncOrderFamilies(own.id, ["8"]);
    expect(await families()).toEqual([["lights"], ["lights"]]);
  });

  it("gives reviews stored without a family the item's family, once the migration was applied", async () => {
    const own = await aClient();
    await someProducts(own.id, [{ id: "lamp", family_id: "lamps" }]);
    const items = [{ id: "8", family_id: "eights" }, { id: "9" }];
    await postOrder({ id: "1", customer: { id: "c" }, items }, own);
    for (const [id, item] of [
      ["1", "8"],
      ["1", "9"],
      ["2", "lamp"],
    ]) {
      const order = { id, customer: { id: "c" }, item: { id: item } };
      const review = { author: "Ada", score: 5, accepted: true, order };
      expect((await call(reviews, "POST", "/v1/reviews", { key: own.key, body: { review } })).status).toBe(201);
    }
    await rowsOf("delete from outbox where client_id = $1", [own.id]);
    await rowsOf("update reviews set family_id = null where client_id = $1 and product_id <> 'lamp'", [own.id]);
    const families = async () =>
      Object.fromEntries(
        (await call(reviews, "GET", "/v1/reviews", { key: own.key })).json.data.map((review: Review) => [
          review.product_ids[0],
          review.family_ids,
        ]),
      );
    expect(await families()).toEqual({ "8": [], "9": [], lamp: ["lamps"] });
    const migration = "prisma/migrations/20261125100000_complete_families/migration.sql";
    await rowsOf(readFileSync(path.join(root, migration), "utf8"));
    const news = await rowsOf("select name, data from outbox where client_id = $1", [own.id]);
    expect(news).toEqual([{ name: "order/family_given", data: { client_id: own.id, product_ids: ["8", "9"] } }]);
    expect(await syncOrderFamilies(own.id, news[0]!.data.product_ids)).toBe(2);
    expect(await families()).toEqual({ "8": ["eights"], "9": ["9"], lamp: ["lamps"] });
    expect(await syncOrderFamilies(own.id, news[0]!.data.product_ids)).toBe(0);
  });

  it("stores an order and returns all of it, with the catalog's details", async () => {
    const id = uniqueName("order");
    const customer = {
      id: "c-1",
      name: "Ada Berg",
      email: "Ada@Example.org ",
      phone: "+46 8 1",
      lang: "sv",
      opt_out: false,
    };
    const order = await postOrder({
      id,
      store_name: "North",
      value: 129.9,
      customer,
      items: [{ id: "lamp", delivery_date: "2026-02-28", returned: false, properties: { colour: "red" } }],
    });
    expect(order).toEqual({
      id,
      store_name: "North",
      value: 129.9,
      created_at: moment,
      updated_at: moment,
      customer: { ...customer, created_at: moment, updated_at: moment },
      items: [
        {
          id: "lamp",
          family_id: "lamps",
          name: "Lamp",
          category: "Light",
          delivery_date: "2026-02-28",
          url: "https://shop.example/lamp",
          image_url: null,
          properties: { colour: "red" },
          deleted: false,
          reviewable: true,
          returned: false,
          created_at: moment,
          updated_at: moment,
        },
      ],
    });
    const read = await call(one, "GET", `/v1/orders/${id}`, { key: shop.key });
    expect(read.json).toEqual({ data: order });
  });

  it("requires only ids, and fills the rest with null", async () => {
    const order = await postOrder({ id: uniqueName("order"), customer: { id: uniqueName("c") } });
    expect(order).toMatchObject({
      store_name: null,
      value: null,
      items: [],
      customer: { name: null, email: null, phone: null, lang: null, opt_out: false },
    });
  });

  it("adds and updates items, never removes them", async () => {
    const id = uniqueName("order");
    const customer = { id: uniqueName("c") };
    await postOrder({ id, customer, items: [{ id: "lamp", delivery_date: "2026-01-01" }] });
    const order = await postOrder({ id, customer, items: [{ id: "bulb" }] });
    expect(order.items.map((found) => found.id)).toEqual(["lamp", "bulb"]);
    expect(item(order, "lamp").delivery_date).toBe("2026-01-01");
    expect((await postOrder({ id, customer, items: [] })).items).toHaveLength(2);
    expect((await postOrder({ id, customer })).items).toHaveLength(2);
  });

  it("cancels an item with ids alone, and enables it again", async () => {
    const id = uniqueName("order");
    const customer = { id: uniqueName("c"), name: "Ada", email: "ada@example.org" };
    await postOrder({ id, customer, items: [{ id: "lamp", delivery_date: "2026-01-01" }, { id: "bulb" }] });
    const cancelled = await postOrder({
      id,
      customer: { id: customer.id },
      items: [{ id: "lamp", reviewable: false }],
    });
    expect(item(cancelled, "lamp")).toMatchObject({ reviewable: false, delivery_date: "2026-01-01" });
    expect(item(cancelled, "bulb").reviewable).toBe(true);
    expect(cancelled.customer).toMatchObject({ name: "Ada", email: "ada@example.org" });
    // Once set, the value stays.
    expect(
      item(await postOrder({ id, customer: { id: customer.id }, items: [{ id: "lamp" }] }), "lamp").reviewable,
    ).toBe(false);
    expect(
      item(await postOrder({ id, customer: { id: customer.id }, items: [{ id: "lamp", reviewable: true }] }), "lamp")
        .reviewable,
    ).toBe(true);
  });

  it("stores what an order is worth and what was returned, which excludes nothing", async () => {
    const [id, customer] = [uniqueName("order"), { id: uniqueName("c") }];
    const more = (given: Input) => postOrder({ id, customer, ...given });
    const first = await more({ value: "1299.9905", items: [{ id: "lamp", returned: false }, { id: "bulb" }] });
    expect(first).toMatchObject({
      value: 1299.991,
      items: [
        { id: "lamp", returned: false, reviewable: true },
        { id: "bulb", returned: null },
      ],
    });
    const returned = await more({ items: [{ id: "lamp", returned: true }] });
    expect(returned.value).toBe(1299.991);
    expect(item(returned, "lamp")).toMatchObject({ returned: true, reviewable: true });
    expect(item(await more({ items: [{ id: "lamp" }] }), "lamp").returned).toBe(true);
    const cleared = await more({ value: " ", items: [{ id: "lamp", returned: null }] });
    expect([cleared.value, item(cleared, "lamp").returned]).toEqual([null, null]);
    expect((await more({ value: 0 })).value).toBe(0);
    const stamp = () => rowsOf("select updated_at from orders where client_id = $1 and id = $2", [shop.id, id]);
    const before = await stamp();
    await more({ value: "0.0001" });
    expect(await stamp()).toEqual(before);
    await more({ value: 12 });
    expect(await stamp()).not.toEqual(before);
  });

  it("stores unknown SKUs, reviewable only if set so or if they have a name", async () => {
    const order = await postOrder({
      id: uniqueName("order"),
      customer: { id: uniqueName("c") },
      items: [
        { id: "x-bare" },
        { id: "x-said", reviewable: true },
        { id: "x-named", name: "Handmade" },
        { id: "x-no", name: "Handmade", reviewable: false },
        { id: "x-url", url: "https://shop.example/x" },
        { id: "gone" },
      ],
    });
    expect(Object.fromEntries(order.items.map(({ id, reviewable }) => [id, reviewable]))).toEqual({
      "x-bare": false,
      "x-said": true,
      "x-named": true,
      "x-no": false,
      "x-url": false,
      gone: true,
    });
    expect(item(order, "x-bare")).toMatchObject({ family_id: "x-bare", name: null, deleted: false });
    expect(item(order, "gone").deleted).toBe(true);
  });

  it("keeps absent fields, clears null fields, ignores blanks", async () => {
    const id = uniqueName("order");
    const customer = { id: uniqueName("c"), name: "Ada", email: "ada@example.org", phone: "1", lang: "sv" };
    const fullOrder = {
      id: "lamp",
      name: "My lamp",
      category: "Mine",
      family_id: "mine",
      url: "https://a.example/",
      image_url: "https://a.example/i",
      delivery_date: "2026-01-01",
      properties: { a: 1 },
    };
    await postOrder({ id, store_name: "North", customer, items: [fullOrder] });
    const same = await postOrder({ id, customer: { id: customer.id }, items: [{ id: "lamp" }] });
    expect(same).toMatchObject({ store_name: "North", customer });
    expect(item(same, "lamp")).toMatchObject(fullOrder);
    const cleared = await postOrder({
      id,
      store_name: null,
      customer: { id: customer.id, name: null, email: "  ", phone: "", lang: null },
      items: [
        {
          id: "lamp",
          name: null,
          category: "",
          family_id: " ",
          url: null,
          image_url: "",
          delivery_date: null,
          properties: null,
        },
      ],
    });
    expect(cleared).toMatchObject({ store_name: null, customer: { name: null, email: null, phone: null, lang: null } });
    expect(item(cleared, "lamp")).toMatchObject({
      name: "Lamp",
      category: "Light",
      family_id: "lamps",
      url: "https://shop.example/lamp",
      image_url: null,
      delivery_date: null,
      properties: {},
      reviewable: true,
    });
  });

  it("ignores unknown fields and does not return them", async () => {
    const answer = await call(orders, "POST", "/v1/orders", {
      key: shop.key,
      body: {
        order: {
          id: uniqueName("order"),
          customer: { id: uniqueName("c"), loyalty: "gold" },
          items: [{ id: "lamp", weight: 3 }],
          total: 9,
        },
        extra: 1,
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/loyalty|weight|total|extra/);
  });

  it("merges lines with the same SKU", async () => {
    const order = await postOrder({
      id: uniqueName("order"),
      customer: { id: uniqueName("c") },
      items: [
        { id: "lamp", delivery_date: "2026-01-01" },
        { id: "lamp", name: "Other" },
      ],
    });
    expect(order.items).toMatchObject([{ id: "lamp", delivery_date: "2026-01-01", name: "Other" }]);
  });

  it("updates updated_at only if something changed", async () => {
    const body = { id: uniqueName("order"), customer: { id: uniqueName("c"), name: "Ada" }, items: [{ id: "lamp" }] };
    await postOrder(body);
    const stamps = () =>
      rowsOf(
        "select o.updated_at as o, c.updated_at as c, i.updated_at as i from orders o join customers c on c.client_id = o.client_id and c.id = o.customer_id join order_items i on i.client_id = o.client_id and i.order_id = o.id where o.client_id = $1 and o.id = $2",
        [shop.id, body.id],
      );
    const first = await stamps();
    await postOrder(body);
    expect(await stamps()).toEqual(first);
    await postOrder({ ...body, items: [{ id: "lamp", delivery_date: "2026-05-05" }] });
    const [third] = await stamps();
    expect(third.i > first[0].i).toBe(true);
    expect({ o: third.o, c: third.c }).toEqual({ o: first[0].o, c: first[0].c });
  });

  it("updates the order when its customer changes", async () => {
    const body = { id: uniqueName("order"), customer: { id: uniqueName("c"), name: "Ada" } };
    await postOrder(body);
    await rowsOf("update orders set updated_at = '2026-01-01' where client_id = $1 and id = $2", [shop.id, body.id]);
    await rowsOf("update customers set updated_at = '2026-01-02' where client_id = $1 and id = $2", [
      shop.id,
      body.customer.id,
    ]);
    expect(await postOrder(body)).toMatchObject({ updated_at: "2026-01-02T00:00:00Z" });
    const other = await postOrder({ id: uniqueName("order"), customer: { ...body.customer, name: "Ada Berg" } });
    const { json } = await call(one, "GET", `/v1/orders/${body.id}`, { key: shop.key });
    expect(json.data).toMatchObject({ customer: { name: "Ada Berg" }, updated_at: other.customer.updated_at });
  });

  it("only clears an opt-out that an order set", async () => {
    const customer = { id: uniqueName("c"), email: `${uniqueName("p")}@example.org` };
    const postOptOut = async (opt_out?: boolean | null) =>
      (await postOrder({ id: uniqueName("order"), customer: { ...customer, opt_out } })).customer.opt_out;
    expect(await postOptOut(true)).toBe(true);
    expect(await postOptOut()).toBe(true);
    expect(await postOptOut(null)).toBe(true);
    expect(await postOptOut(false)).toBe(false);
    const { personHash } = await import("@/lib/platform/secrets/person-hash");
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      shop.id,
      personHash(shop.id, "email", customer.email.toUpperCase()),
    ]);
    expect(await postOptOut(false)).toBe(true);
  });

  it("creates one order for concurrent posts", async () => {
    const id = uniqueName("order");
    const customer = { id: uniqueName("c"), name: "Ada" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post({
          id,
          customer: { ...customer, id: index % 2 ? customer.id : `${customer.id}-b` },
          items: [{ id: `sku-${index % 5}`, name: "x" }, { id: "lamp" }],
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { json } = await call(one, "GET", `/v1/orders/${id}`, { key: shop.key });
    expect(json.data.items.map((found: Item) => found.id).sort()).toEqual([
      "lamp",
      "sku-0",
      "sku-1",
      "sku-2",
      "sku-3",
      "sku-4",
    ]);
    expect(await rowsOf("select 1 from orders where client_id = $1 and id = $2", [shop.id, id])).toHaveLength(1);
  });

  it("returns to each of many concurrent posts its own order", async () => {
    const ids = Array.from({ length: 40 }, () => uniqueName("order"));
    const customers = ids.map((_, index) => ({ id: `many-${index % 7}`, name: `Name ${index % 7}` }));
    const answers = await Promise.all(
      ids.map((id, index) =>
        postOrder({ id, customer: customers[index]!, items: [{ id: index % 2 ? "lamp" : "bulb" }] }),
      ),
    );
    for (const [index, order] of answers.entries()) {
      expect(order).toMatchObject({ id: ids[index], customer: customers[index] });
      expect(order.items.map((found: Item) => found.id)).toEqual([index % 2 ? "lamp" : "bulb"]);
    }
  });

  it("returns to each of two concurrent posts of one order its own values, and stores both", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = uniqueName("order");
      const customer = { id: uniqueName("c") };
      const posted = [
        { id: "lamp", delivery_date: "2026-01-01" },
        { id: "bulb", name: "My bulb", reviewable: false },
      ];
      const answers = await Promise.all(
        posted.map((line, index) => postOrder({ id, customer: { ...customer, name: `Name ${index}` }, items: [line] })),
      );
      for (const [index, line] of posted.entries()) {
        expect(item(answers[index] as Order, line.id)).toMatchObject(line);
        expect(answers[index]?.customer.name).toBe(`Name ${index}`);
      }
      const { json } = await call(one, "GET", `/v1/orders/${id}`, { key: shop.key });
      expect(json.data.items.map((found: Item) => found.id).sort()).toEqual(["bulb", "lamp"]);
      // The second transaction saw what the first had written.
      expect(answers).toContainEqual(json.data);
    }
  });

  it("separates orders of two clients with the same number", async () => {
    const other = await aClient();
    const id = uniqueName("order");
    await postOrder({ id, customer: { id: "same", name: "Ada" } });
    await postOrder({ id, customer: { id: "same", name: "Bo" } }, other);
    const read = async (client: TestClient) =>
      (await call(one, "GET", `/v1/orders/${id}`, { key: client.key })).json.data.customer.name;
    expect([await read(shop), await read(other)]).toEqual(["Ada", "Bo"]);
  });

  it("accepts ids with any characters", async () => {
    for (const id of ["a/b", "a b", "#1?x=%20", "订单-1", "💡".repeat(255), "..", "%2e"]) {
      const { id: storedId } = await postOrder({ id, customer: { id: "odd" } });
      expect(storedId).toBe(id);
      const read = await call(one, "GET", `/v1/orders/${encodeURIComponent(id).replaceAll(".", "%2E")}`, {
        key: shop.key,
      });
      if (id !== "..") expect(read.json.data.id).toBe(id); // URLs resolve dot segments, even encoded ones
    }
  });
});

describe("POST /v1/orders: bad input", () => {
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const good = { id: "bad-1", customer: { id: "bad-c" } };
  const orderWithItem = (given: Input) => ({ order: { ...good, items: [{ id: "lamp", ...given }] } });
  const orderWithCustomer = (given: Input) => ({ order: { ...good, customer: { ...good.customer, ...given } } });
  const f = (...fields: string[]) => fields.map((field) => `${field} invalid_field`);

  const table: [name: string, body: unknown, issues: string[]][] = [
    ["nothing", null, f("null")],
    ["a list", [], f("null")],
    ["a text", '"order"', f("null")],
    ["no order", {}, f("order")],
    ["order of the wrong type", { order: "x" }, f("order")],
    ["an empty order", { order: {} }, f("order.id", "order.customer")],
    ["ids missing", { order: { customer: {}, items: [{}] } }, f("order.id", "order.customer.id", "order.items[0].id")],
    [
      "ids that are neither text nor a whole number",
      { order: { id: 1.5, customer: { id: true }, items: [{ id: 2 ** 60 }] } },
      f("order.id", "order.customer.id", "order.items[0].id"),
    ],
    [
      "blank ids",
      { order: { id: " ", customer: { id: "" }, items: [{ id: "\t" }] } },
      f("order.id", "order.customer.id", "order.items[0].id"),
    ],
    [
      "too long",
      {
        order: {
          id: "x".repeat(256),
          customer: { id: "x".repeat(256), name: "x".repeat(256), phone: "1".repeat(65), lang: "x".repeat(36) },
          store_name: "x".repeat(256),
        },
      },
      f(
        "order.id",
        "order.customer.id",
        "order.customer.name",
        "order.customer.phone",
        "order.customer.lang",
        "order.store_name",
      ),
    ],
    [
      "too long in an item",
      orderWithItem({
        name: "x".repeat(1_001),
        category: "x".repeat(1_001),
        family_id: "x".repeat(256),
        url: `https://a.example/${"x".repeat(2_000)}`,
      }),
      f("order.items[0].name", "order.items[0].category", "order.items[0].family_id", "order.items[0].url"),
    ],
    [
      "wrong types in an item",
      orderWithItem({ reviewable: "true", delivery_date: 20260101, name: {}, properties: [], url: 1, image_url: true }),
      f(
        "order.items[0].reviewable",
        "order.items[0].delivery_date",
        "order.items[0].name",
        "order.items[0].properties",
        "order.items[0].url",
        "order.items[0].image_url",
      ),
    ],
    [
      "values and returns of other kinds",
      { order: { ...good, value: "129,90", items: [{ id: "lamp", returned: "2026-01-01" }] } },
      f("order.value", "order.items[0].returned"),
    ],
    ["a value below zero", { order: { ...good, value: -1 } }, f("order.value")],
    ["a value above all", { order: { ...good, value: 1e12 } }, f("order.value")],
    [
      "wrong types of a person",
      orderWithCustomer({ name: 1, email: [], opt_out: "no", lang: {} }),
      f("order.customer.name", "order.customer.email", "order.customer.opt_out", "order.customer.lang"),
    ],
    [
      "days that do not exist",
      {
        order: {
          ...good,
          items: ["2026-02-29", "2026-13-01", "2026-1-1", "0000-01-01", "tomorrow", "2026-01-01T25:00:00Z"].map(
            (delivery_date, index) => ({ id: `i${index}`, delivery_date }),
          ),
        },
      },
      f(...[0, 1, 2, 3, 4, 5].map((index) => `order.items[${index}].delivery_date`)),
    ],
    [
      "addresses that are none",
      orderWithItem({ url: "javascript:alert(1)", image_url: "shop.example/x" }),
      f("order.items[0].url", "order.items[0].image_url"),
    ],
    ["an e-mail that is none", orderWithCustomer({ email: "ada" }), f("order.customer.email")],
    [
      "an e-mail with a header",
      orderWithCustomer({ email: "ada@example.org\r\nBcc: x@example.org" }),
      f("order.customer.email"),
    ],
    [
      "an e-mail beyond any index",
      orderWithCustomer({ email: `${"\u{1D160}".repeat(300)}@example.org` }),
      f("order.customer.email"),
    ],
    [
      "too many items",
      { order: { ...good, items: Array.from({ length: 2_001 }, (_, index) => ({ id: `${index}` })) } },
      f("order.items"),
    ],
    ["items of the wrong type", { order: { ...good, items: { id: "lamp" } } }, f("order.items")],
    [
      "NUL",
      '{"order":{"id":"a\\u0000","customer":{"id":"c","name":1},"items":[{"id":"lamp","properties":{"k\\u0000":1,"v":"\\u0000"}}]}}',
      f("order.id", "order.customer.name", "order.items[0].properties", "order.items[0].properties.v"),
    ],
    ["half a character", '{"order":{"id":"bad-1","customer":{"id":"c","name":"\\ud83d"}}}', f("order.customer.name")],
    [
      "half a character in a property",
      '{"order":{"id":"bad-1","customer":{"id":"c"},"items":[{"id":"lamp","properties":{"a":"\\uDC00x"}}]}}',
      f("order.items[0].properties.a"),
    ],
    [
      "a number beyond all",
      '{"order":{"id":"bad-1","customer":{"id":"c"},"items":[{"id":"lamp","properties":{"a":1e999}}]}}',
      f("order.items[0].properties.a"),
    ],
  ];

  it.each(table)("%s: reports every issue and changes nothing", async (_, body, issues) => {
    const before = await hashDatabase();
    expectIssues(
      await call(orders, "POST", "/v1/orders", { key: shop.key, body: body === null ? "null" : body }),
      422,
      issues,
    );
    expect(await hashDatabase()).toBe(before);
  });

  it("rejects very deep nesting", async () => {
    const before = await hashDatabase();
    for (const depth of [200, 5_000, 200_000]) {
      const text = `{"order":{"id":"bad-1","customer":{"id":"c"},"items":[{"id":"lamp","properties":{"a":${deep(depth)}}}]}}`;
      const answer = await call(orders, "POST", "/v1/orders", { key: shop.key, body: text });
      expect(answer.status).toBe(422);
      expect(answer.json.errors).toHaveLength(1);
      expect(answer.json.errors[0].field).toMatch(/^order\.items\[0]\.properties\.a/);
      expect((await call(orders, "POST", "/v1/orders", { key: shop.key, body: deep(depth) })).status).toBe(422);
    }
    expect(await hashDatabase()).toBe(before);
  });

  it("accepts names of Object.prototype members", async () => {
    const text =
      '{"__proto__":{"order":{}},"order":{"id":"proto","customer":{"id":"proto","constructor":{}},"items":[{"id":"lamp","properties":{"__proto__":{"polluted":1},"constructor":2}}]}}';
    const answer = await call(orders, "POST", "/v1/orders", { key: shop.key, body: text });
    expect(answer.status).toBe(200);
    expect(({} as Input).polluted).toBeUndefined();
  });

  it("stores unusual but valid text unchanged", async () => {
    const name = "Ｚ͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A \u202Eevil\u202C 👨‍👩‍👧 \uFEFF ' \" \\ <b>";
    const order = await postOrder({
      id: "odd-text",
      customer: { id: "odd-text", name },
      items: [{ id: "lamp", properties: { [name]: name, e: 1e300, s: -0.0 } }],
    });
    expect(order.customer.name).toBe(name);
    expect(item(order, "lamp").properties).toMatchObject({ [name]: name, e: 1e300 });
  });
});

describe("GET /v1/orders", () => {
  let own: TestClient;
  const same = new Date("2026-03-01T10:00:00.123Z");
  let ids: string[];

  beforeAll(async () => {
    own = await aClient();
    ids = ["o-1", "o-2", "o-3", "o-4", "o-5", "o-6", "o-7"];
    for (const [index, id] of ids.entries())
      await anOrder(own.id, {
        id,
        customer: { id: index < 5 ? "ada" : "bo", email: index < 5 ? "Ada@Example.org" : "bo@example.org" },
      });
    // Five rows with the same creation time: paging must not skip or repeat any.
    await rowsOf("update orders set created_at = $2 where client_id = $1 and id < 'o-6'", [own.id, same]);
    await rowsOf("update orders set created_at = $2 where client_id = $1 and id >= 'o-6'", [
      own.id,
      new Date("2026-03-02T10:00:00Z"),
    ]);
  });

  it("lists by creation time, then by id", () => expectList(orders, "/v1/orders", own.key, ids));

  it("filters by time, inclusively", async () => {
    const listed = async (query: string) =>
      (await readAll(orders, `/v1/orders?${query}`, { key: own.key })).map(({ id }) => id);
    expect(await listed("created_after=2026-03-02")).toEqual(["o-6", "o-7"]);
    expect(await listed("created_after=2026-03-02T10:00:00Z")).toEqual(["o-6", "o-7"]);
    expect(await listed("created_after=2026-03-02T10:00:01Z")).toEqual([]);
    expect(await listed("created_after=2026-03-01T10:00:00Z")).toEqual(ids);
    await expectList(orders, "/v1/orders?created_after=2026-03-01", own.key, ids);
  });

  it("filters by customer and by any spelling of the email address", async () => {
    await expectList(orders, "/v1/orders?customer_id=ada", own.key, ids.slice(0, 5));
    await expectList(orders, "/v1/orders?customer_email=%20aDA@example.ORG", own.key, ids.slice(0, 5));
    const both = await call(orders, "GET", "/v1/orders?customer_id=ada&customer_email=bo@example.org", {
      key: own.key,
    });
    expect(both.json).toEqual({ data: [], links: {} });
    const inner = await call(orders, "GET", "/v1/orders?customer_id=ADA", { key: own.key });
    expect(inner.json.data).toEqual([]);
  });

  it("rejects invalid times", async () => {
    for (const moment of [
      "",
      "yesterday",
      "2026-02-30",
      "0000-01-01",
      "2026-03-01T25:00:00Z",
      "2026-03-01 10:00:00",
      "20260301",
      "9999-12-31T23:59:59-23:00",
      "0001-01-01T00:00:00%2B23:00",
    ])
      expectIssues(await call(orders, "GET", `/v1/orders?created_after=${moment}`, { key: own.key }), 400, [
        "created_after invalid_parameter",
      ]);
  });

  it("lists all invalid parameters together", async () => {
    const answer = await call(orders, "GET", "/v1/orders?limit=0&created_after=x&customer_id=%00", { key: own.key });
    expect(answer.status).toBe(400);
    expectIssues(await call(orders, "GET", "/v1/orders?limit=0&created_after=x", { key: own.key }), 400, [
      "limit invalid_parameter",
      "created_after invalid_parameter",
    ]);
  });

  it("ends during continuous writes and skips no row that existed throughout", async () => {
    const busy = await aClient();
    const there = Array.from({ length: 30 }, (_, index) => `there-${String(index).padStart(2, "0")}`);
    for (const id of there) await anOrder(busy.id, { id });
    const seen = await readAll(orders, "/v1/orders?limit=3", { key: busy.key }, async () => {
      for (let more = 0; more < 4; more += 1) await anOrder(busy.id);
    });
    expect(seen.map(({ id }) => id).filter((id) => there.includes(id))).toEqual(there);
    expect(seen.length).toBeLessThan(40);
  });

  it("hides customers from viewers", async () => {
    const { basic } = await aUser("viewer", { clients: [own.id] });
    const { json, text } = await call(orders, "GET", "/v1/orders", { basic });
    expect(json.data[0].customer).toMatchObject({ id: null, name: null, email: null, phone: null });
    expect(text).not.toMatch(/\bada\b|example\.org/i);
    const single = await call(one, "GET", "/v1/orders/o-1", { basic });
    expect(single.text).not.toMatch(/\bada\b|example\.org/i);
    for (const filter of ["customer_id=ada", "customer_email=ada@example.org"])
      expect((await call(orders, "GET", `/v1/orders?${filter}`, { basic })).json.errors[0].code).toBe("forbidden");
  });
});
