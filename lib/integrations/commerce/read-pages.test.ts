import { afterEach, expect, it } from "vitest";
import { CommerceFake, type CommerceModes, commerceKeys } from "@/lib/tools/fakes/commerce";
import { anOrder, type Row as Fields } from "@/lib/tools/fakes/commerce-orders";
import { manyOrders } from "@/lib/tools/fakes/commerce-shop";
import { CommerceClient } from "./client";
import { newScan, type OrderScan, readPage } from "./read-pages";

process.env.ALLOW_PRIVATE_URLS = "true";

const fakes: CommerceFake[] = [];
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close();
});

async function aShop(orders: Fields[], modes: Partial<CommerceModes> = {}) {
  const fake = new CommerceFake({ orders }, modes);
  fakes.push(fake);
  const credentials = { auth: "oauth1", ...commerceKeys } as const;
  return {
    fake,
    store: new CommerceClient({
      ordersUrl: await fake.listen(),
      credentials,
      requestsPerSecond: 10_000,
      retryDelays: [],
    }),
  };
}

type Read = { ids: number[]; seen: Set<number>; broken: number[]; unnamed: number; last: OrderScan; pages: number };

async function readAll(store: CommerceClient, pass: OrderScan, between?: (page: number) => void): Promise<Read> {
  const read: Read = { ids: [], seen: new Set(), broken: [], unnamed: 0, last: pass, pages: 0 };
  for (let next: OrderScan | null = pass; next; ) {
    const page = await readPage({ store, pass: next, groups: [], without: read.broken });
    read.pages += 1;
    if (read.pages > 500) throw new Error("It does not end.");
    for (const { entity_id } of page.rows) {
      read.ids.push(entity_id);
      read.seen.add(entity_id);
    }
    read.broken.push(...page.broken);
    read.unnamed += page.unnamed;
    between?.(read.pages);
    if (page.next) read.last = page.next;
    next = page.next;
  }
  return read;
}

const fullPass = (size: number) => newScan("", "2026-12-31 00:00:00", size);

it.each([
  { pagingClamp: false, size: 1 },
  { pagingClamp: true, size: 1 },
  { pagingClamp: false, size: 7 },
  { pagingClamp: true, size: 7 },
  { pagingClamp: true, size: 20 },
  { pagingClamp: false, size: 300 },
])(
  "reads every order with pages of $size, also across boundaries within a second ($pagingClamp)",
  async ({ size, ...modes }) => {
    const { store } = await aShop(manyOrders(40), modes);
    expect((await readAll(store, fullPass(size))).seen.size).toBe(40);
  },
);

it("reads more orders of one second than fit on a page", async () => {
  const { store } = await aShop(manyOrders(30).map((order) => ({ ...order, updated_at: "2026-01-05 00:00:00" })));
  const { seen, pages } = await readAll(store, fullPass(7));
  expect(seen.size).toBe(30);
  expect(pages).toBeLessThan(8);
});

it("misses no order that changes while reading, and ends despite steady changes", async () => {
  const orders = manyOrders(60);
  const { fake, store } = await aShop(orders);
  const to = "2026-06-01 00:00:00";
  // After every page, an order of the first pages changes and leaves the window for good.
  const read = await readAll(store, newScan("", to, 6), (page) => {
    const moved = fake.data.orders[page % 5] as Fields;
    moved.updated_at = "2026-07-01 00:00:00";
  });
  const left = fake.data.orders.filter(({ updated_at }) => (updated_at as string) <= to);
  for (const { entity_id } of left) expect(read.seen).toContain(entity_id);
});

it.each([true, false])(
  "pages by number if filters and sorting are ignored, and ends (clamp: %s)",
  async (pagingClamp) => {
    const orders = manyOrders(25).reverse();
    const { store } = await aShop(orders, { ignoresFilters: true, pagingClamp });
    const { seen, pages } = await readAll(store, newScan("2026-01-01 00:00:05", "2026-12-31 00:00:00", 10));
    expect(seen.size).toBe(25);
    expect(pages).toBe(3);
  },
);

it("ends if the store reports no total and repeats its last page", async () => {
  const orders = manyOrders(20);
  const { fake, store } = await aShop(orders);
  const page = (from: number) => ({ status: 200, body: { items: orders.slice(from, from + 10).reverse() } });
  fake.failures.push(page(0), page(10), page(10));
  expect((await readAll(store, fullPass(10))).seen.size).toBe(20);
});

it("uses smaller pages if the store limits their size", async () => {
  const { fake, store } = await aShop(manyOrders(5), { inputLimit: true });
  const read = await readAll(store, fullPass(500));
  expect(read.seen.size).toBe(5);
  expect(fake.requests.map(({ line }) => /pageSize\]=(\d+)/.exec(line)?.[1])).toEqual(["500", "300"]);
});

it("finds the orders that the store fails on, and reads all others", async () => {
  const orders = manyOrders(50);
  const [one, other] = [orders[4]!.entity_id as number, orders[33]!.entity_id as number];
  const { store } = await aShop(orders, { brokenOrderIds: [one, other] });
  const read = await readAll(store, fullPass(20));
  expect(read.broken).toEqual([one, other]);
  expect(read.seen.size).toBe(48);
});

it("doesn't search for a broken order after a one-time failure", async () => {
  const { fake, store } = await aShop(manyOrders(5));
  fake.failures.push({ status: 500, body: { message: "Internal Error." } });
  const read = await readAll(store, fullPass(20));
  expect([read.broken, read.seen.size, fake.requests.length]).toEqual([[], 5, 2]);
});

it("reads one by one around a broken order if filters are ignored", async () => {
  const orders = manyOrders(12);
  const broken = orders[3]!.entity_id as number;
  const { store } = await aShop(orders, { brokenOrderIds: [broken], ignoresFilters: true });
  const read = await readAll(store, fullPass(5));
  expect([read.unnamed, read.broken, read.seen.size]).toEqual([1, [], 11]);
});

it("reads by id if the store checks signatures of dates wrongly", async () => {
  const { store } = await aShop(manyOrders(25), { brokenSignatures: true });
  const read = await readAll(store, newScan("2026-01-01 00:00:00", "2026-12-31 00:00:00", 10));
  expect(read.seen.size).toBe(25);
  expect(read.last.key).toBe("entity_id");
});

it("skips rows that aren't orders", async () => {
  const { fake, store } = await aShop([]);
  fake.failures.push({
    status: 200,
    body: { items: [null, 7, { sku: "x" }, anOrder({ entity_id: "77" })], total_count: 4 },
  });
  const page = await readPage({ store, pass: fullPass(10), groups: [], without: [] });
  expect([page.rows.map(({ entity_id }) => entity_id), page.unreadable]).toEqual([[77], 3]);
});
