import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Hold, type HoldChange, HoldChanges } from "@/lib/orders/schema";

import { english } from "@/lib/platform/i18n/english";
import { brokenWords, failedWords, makeChange } from "./make-change";

// The server's part is played by its own shapes: what these refuse is refused.

const free = { held: false, until: null };
const held = new Map<string, HoldChange["to"]>();
/** as the service keeps them, by key */
const answered = new Map<string, HoldChange[]>();

function answer(path: string, body: unknown): HoldChange[] {
  const changes = path.endsWith("/holds")
    ? HoldChanges.parse(body).items
    : (() => {
        const { held: isHeld, until = null, items = [] } = Hold.parse(body);
        return items.map((id) => ({ id, from: held.get(id) ?? free, to: { held: isHeld, until } }));
      })();
  const isSame = (one: HoldChange["to"], other: HoldChange["to"]) =>
    one.held === other.held && one.until === other.until;
  const made = changes.filter(({ id, from, to }) => isSame(held.get(id) ?? free, from) && !isSame(from, to));
  for (const { id, to } of made) held.set(id, to);
  return made;
}

/** Calls that are answered before the service is away; it comes back after one refusal. */
let answers = Number.POSITIVE_INFINITY;
/** whether what it does not answer is done all the same */
let isDone = false;
/** whether it says no to everything */
let refuses = false;

beforeEach(() => {
  held.clear();
  answered.clear();
  answers = Number.POSITIVE_INFINITY;
  isDone = false;
  refuses = false;
  vi.stubGlobal("fetch", async (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    const key = headers["Idempotency-Key"] ?? "";
    const make = () => {
      const data = answered.get(key) ?? answer(new URL(url, "http://portal.test").pathname, JSON.parse(body));
      answered.set(key, data);
      return data;
    };
    if (answers === 0) {
      answers = Number.POSITIVE_INFINITY;
      if (isDone) make();
      throw new TypeError("fetch failed");
    }
    if (refuses) {
      const errors = [{ code: "conflict", message: "The same request is still being answered.", field: null }];
      return new Response(JSON.stringify({ errors }), { status: 409 });
    }
    answers -= 1;
    const data = make();
    return new Response(JSON.stringify({ data }), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const order = { clientId: "shop.example", orderId: "O/1", customerId: null };
const items = Array.from({ length: 4_100 }, (_, n) => `sku-${n}`);

it("holds back and lets go, and takes back, however many items an order has", async () => {
  const made = await makeChange(order, { what: "hold", until: "2030-01-05", items });
  expect(held).toEqual(new Map(items.map((id) => [id, { held: true, until: "2030-01-05" }])));
  expect(made.all).toBe(true);
  const undone = await makeChange(order, made.back!);
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
  // And that may be taken back as well.
  expect(undone).toMatchObject({ all: true, back: { what: "holds" } });
  await makeChange(order, undone.back!);
  expect([...held.values()].filter((state) => state.held)).toHaveLength(4_100);
});

it("tells how much is saved where it breaks off, goes on from there, and takes back all of it", async () => {
  answers = 1;
  const first = await makeChange(order, { what: "hold", until: null, items });
  expect(first).toMatchObject({ all: false, broken: { saved: 2_000, items: 4_100 } });
  expect(held.size).toBe(2_000);
  // It breaks off once more, at once and then after a part.
  answers = 0;
  const second = await makeChange(order, first.broken!.rest);
  expect(second.broken).toMatchObject({ saved: 2_000, items: 4_100 });
  answers = 1;
  const third = await makeChange(order, second.broken!.rest);
  expect(third.broken).toMatchObject({ saved: 4_000, items: 4_100 });
  const made = await makeChange(order, third.broken!.rest);
  expect(made).toMatchObject({ all: true });
  expect(made.broken).toBeUndefined();
  expect(held).toEqual(new Map(items.map((id) => [id, { held: true, until: null }])));
  // What takes it back is of all parts, and may break off as well.
  answers = 2;
  const undone = await makeChange(order, made.back!);
  expect(undone.broken).toMatchObject({ saved: 4_000, items: 4_100 });
  expect(await makeChange(order, undone.broken!.rest)).toMatchObject({ all: true });
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
});

it("takes back also what was saved and whose answer was lost", async () => {
  isDone = true;
  answers = 1;
  const first = await makeChange(order, { what: "hold", until: null, items });
  expect(first.broken).toMatchObject({ saved: 2_000, items: 4_100 });
  expect(held.size).toBe(4_000);
  const made = await makeChange(order, first.broken!.rest);
  expect(made.all).toBe(true);
  answers = 1;
  const undone = await makeChange(order, made.back!);
  expect(undone.broken).toMatchObject({ saved: 2_000, items: 4_100 });
  expect(await makeChange(order, undone.broken!.rest)).toMatchObject({ all: true });
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
});

it("takes back also what was saved first and whose answer was lost, however few items it is of", async () => {
  isDone = true;
  for (const some of [items, items.slice(0, 1)]) {
    answers = 0;
    const first = await makeChange(order, { what: "hold", until: null, items: some });
    expect(first).toMatchObject({ back: null, all: false, broken: { saved: 0, items: some.length } });
    expect(held.size).toBeGreaterThan(0);
    expect(brokenWords(first.broken!, english)).toMatch(/^Your change may not have been saved\. /);
    // While the service is still at it, it says so: that is no answer to what was asked first.
    refuses = true;
    const second = await makeChange(order, first.broken!.rest);
    expect(second.broken).toMatchObject({ saved: 0, error: { code: "conflict" } });
    expect(brokenWords(second.broken!, english)).toMatch(/^Your change may not have been saved\. /);
    refuses = false;
    const made = await makeChange(order, second.broken!.rest);
    expect(made.all).toBe(true);
    answers = 0;
    const undone = await makeChange(order, made.back!);
    expect(undone.broken).toMatchObject({ saved: 0 });
    expect(await makeChange(order, undone.broken!.rest)).toMatchObject({ all: true });
    expect(held).toEqual(new Map(some.map((id) => [id, free])));
    held.clear();
  }
});

it("is refused as a whole where nothing of it is saved", async () => {
  refuses = true;
  await expect(makeChange(order, { what: "hold", until: null, items })).rejects.toMatchObject({ code: "conflict" });
  expect(held.size).toBe(0);
});

it("says that a change is not saved only where the service said so", async () => {
  const change = { what: "cancel", item: "sku-1", reviewable: false } as const;
  answers = 0;
  const lost = await makeChange(order, change).catch((error: unknown) => error);
  expect(failedWords(lost, english)).toMatch(/^Your change may not have been saved\. /);
  refuses = true;
  const refused = await makeChange(order, change).catch((error: unknown) => error);
  expect(failedWords(refused, english)).toBe("Couldn’t save. The same request is still being answered.");
});
