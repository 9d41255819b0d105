import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  Exclusion,
  type ExclusionChange,
  ExclusionChanges,
  Hold,
  type HoldChange,
  HoldChanges,
} from "@/lib/orders/schema";

import { english } from "@/lib/platform/i18n/english";
import { failureMessage, partialFailureMessage, saveChange } from "./save-change";

// The fake server validates with the service's own schemas.

const free = { held: false, until: null };
const held = new Map<string, HoldChange["to"]>();
/** an item not in the catalog, which was never excluded */
const unknown = { reviewable: false, override: null };
const exclusions = new Map<string, ExclusionChange["to"]>();
/** saved results by idempotency key, as in the service */
const answered = new Map<string, (HoldChange | ExclusionChange)[]>();

function answerExclusion(path: string, body: unknown): ExclusionChange[] {
  const changes = path.endsWith("/exclusions")
    ? ExclusionChanges.parse(body).items
    : (({ excluded, items = [] }) =>
        items.map((id) => ({
          id,
          from: exclusions.get(id) ?? unknown,
          to: { reviewable: !excluded, override: !excluded },
        })))(Exclusion.parse(body));
  for (const { id, to } of changes) exclusions.set(id, to);
  return changes;
}

function answer(path: string, body: unknown): (HoldChange | ExclusionChange)[] {
  if (path.includes("/exclusion")) return answerExclusion(path, body);
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

/** Calls answered before the service becomes unavailable; it recovers after one failure. */
let answers = Number.POSITIVE_INFINITY;
/** whether unanswered calls are executed anyway */
let isDone = false;
/** whether every call is rejected */
let refuses = false;

beforeEach(() => {
  held.clear();
  exclusions.clear();
  answered.clear();
  answers = Number.POSITIVE_INFINITY;
  isDone = false;
  refuses = false;
  vi.stubGlobal("fetch", async (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    const key = headers["Idempotency-Key"];
    const make = () => {
      const data = (key && answered.get(key)) || answer(new URL(url, "http://portal.test").pathname, JSON.parse(body));
      if (key) answered.set(key, data);
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

const order = { clientId: "shop.example", orderId: "O/1" };
const items = Array.from({ length: 4_100 }, (_, n) => `sku-${n}`);

it("pauses, resumes and undoes any number of items", async () => {
  const made = await saveChange(order, { what: "hold", until: "2030-01-05", items });
  expect(held).toEqual(new Map(items.map((id) => [id, { held: true, until: "2030-01-05" }])));
  expect(made.all).toBe(true);
  const undone = await saveChange(order, made.undo!);
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
  // The undo can be undone too.
  expect(undone).toMatchObject({ all: true, undo: { what: "holds" } });
  await saveChange(order, undone.undo!);
  expect([...held.values()].filter((state) => state.held)).toHaveLength(4_100);
});

it("reports a partial failure, continues from there, and undoes everything", async () => {
  answers = 1;
  const first = await saveChange(order, { what: "hold", until: null, items });
  expect(first).toMatchObject({ all: false, partial: { saved: 2_000, items: 4_100 } });
  expect(held.size).toBe(2_000);
  // It fails again, first immediately and then after one part.
  answers = 0;
  const second = await saveChange(order, first.partial!.rest);
  expect(second.partial).toMatchObject({ saved: 2_000, items: 4_100 });
  answers = 1;
  const third = await saveChange(order, second.partial!.rest);
  expect(third.partial).toMatchObject({ saved: 4_000, items: 4_100 });
  const made = await saveChange(order, third.partial!.rest);
  expect(made).toMatchObject({ all: true });
  expect(made.partial).toBeUndefined();
  expect(held).toEqual(new Map(items.map((id) => [id, { held: true, until: null }])));
  // The undo covers all parts and may fail too.
  answers = 2;
  const undone = await saveChange(order, made.undo!);
  expect(undone.partial).toMatchObject({ saved: 4_000, items: 4_100 });
  expect(await saveChange(order, undone.partial!.rest)).toMatchObject({ all: true });
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
});

it("also undoes changes whose response was lost", async () => {
  isDone = true;
  answers = 1;
  const first = await saveChange(order, { what: "hold", until: null, items });
  expect(first.partial).toMatchObject({ saved: 2_000, items: 4_100 });
  expect(held.size).toBe(4_000);
  const made = await saveChange(order, first.partial!.rest);
  expect(made.all).toBe(true);
  answers = 1;
  const undone = await saveChange(order, made.undo!);
  expect(undone.partial).toMatchObject({ saved: 2_000, items: 4_100 });
  expect(await saveChange(order, undone.partial!.rest)).toMatchObject({ all: true });
  expect(held).toEqual(new Map(items.map((id) => [id, free])));
});

it("also undoes what was saved first if its response was lost, however few items it has", async () => {
  isDone = true;
  for (const some of [items, items.slice(0, 1)]) {
    answers = 0;
    const first = await saveChange(order, { what: "hold", until: null, items: some });
    expect(first).toMatchObject({ undo: null, all: false, partial: { saved: 0, items: some.length } });
    expect(held.size).toBeGreaterThan(0);
    expect(partialFailureMessage(first.partial!, english)).toMatch(/^Your change may not have been saved\. /);
    // While the first call is still running, the service returns conflict: that doesn't say whether it succeeded.
    refuses = true;
    const second = await saveChange(order, first.partial!.rest);
    expect(second.partial).toMatchObject({ saved: 0, error: { code: "conflict" } });
    expect(partialFailureMessage(second.partial!, english)).toMatch(/^Your change may not have been saved\. /);
    refuses = false;
    const made = await saveChange(order, second.partial!.rest);
    expect(made.all).toBe(true);
    answers = 0;
    const undone = await saveChange(order, made.undo!);
    expect(undone.partial).toMatchObject({ saved: 0 });
    expect(await saveChange(order, undone.partial!.rest)).toMatchObject({ all: true });
    expect(held).toEqual(new Map(some.map((id) => [id, free])));
    held.clear();
  }
});

it("undoes an exclusion and its opposite to what was before", async () => {
  for (const excluded of [true, false]) {
    exclusions.clear();
    const made = await saveChange(order, { what: "exclude", item: "sku-1", excluded });
    const after = exclusions.get("sku-1");
    expect(after).toEqual({ reviewable: !excluded, override: !excluded });
    const undone = await saveChange(order, made.undo!);
    expect(exclusions.get("sku-1")).toEqual(unknown);
    expect(undone.all).toBe(true);
    await saveChange(order, undone.undo!);
    expect(exclusions.get("sku-1")).toEqual(after);
  }
});

it("throws if nothing was saved", async () => {
  refuses = true;
  await expect(saveChange(order, { what: "hold", until: null, items })).rejects.toMatchObject({ code: "conflict" });
  expect(held.size).toBe(0);
});

it("says that a change was not saved only if the service said so", async () => {
  const change = { what: "exclude", item: "sku-1", excluded: true } as const;
  answers = 0;
  const thrown = await saveChange(order, change).catch((error: unknown) => error);
  expect(failureMessage(thrown, english)).toMatch(/^Your change may not have been saved\. /);
  refuses = true;
  const refused = await saveChange(order, change).catch((error: unknown) => error);
  expect(failureMessage(refused, english)).toBe("Couldn’t save. The same request is still being answered.");
});
