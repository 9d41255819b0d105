import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { forgetTab, keepLists, keptList } from "./kept-lists";

const orders = "/portal/orders";
const keep = (person: string, store: string, query: string, lists = [orders]) =>
  keepLists(person, store, lists, orders, new URLSearchParams(query));

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    key: (index: number) => [...stored.keys()][index] ?? null,
    get length() {
      return stored.size;
    },
  };
  vi.stubGlobal("sessionStorage", storage);
});
afterEach(() => vi.unstubAllGlobals());

it("keeps a list's filters, not the store, the position in it or credentials", () => {
  keep("ada", "a.example", "client_id=a.example&q=berg&after=x&item=1&token=sk_1");
  expect(keptList("ada", "a.example", orders)).toBe("/portal/orders?q=berg");
  keep("ada", "a.example", "client_id=a.example");
  expect(keptList("ada", "a.example", orders)).toBe("/portal/orders");
});

it("keeps them for each store and list, under all lists that the address shows", () => {
  keep("ada", "a.example", "q=1", [orders, "others"]);
  keep("ada", "b.example", "q=2");
  expect(keptList("ada", "a.example", orders)).toBe("/portal/orders?q=1");
  expect(keptList("ada", "a.example", "others")).toBe("/portal/orders?q=1");
  expect(keptList("ada", "b.example", orders)).toBe("/portal/orders?q=2");
  expect(keptList("ada", "b.example", "others")).toBeUndefined();
  keep("ada", "a.example", "q=3", []);
  expect(keptList("ada", "a.example", orders)).toBe("/portal/orders?q=1");
});

it("keeps nothing of another person", () => {
  keep("ada", "a.example", "q=berg");
  stored.set("candor.recent.a.example", "[]");
  keep("ada", "a.example", "q=berg", []);
  expect(stored.has("candor.recent.a.example")).toBe(true);
  expect(keptList("bo", "a.example", orders)).toBeUndefined();
  keep("bo", "a.example", "q=lind");
  expect([...stored.values()].join()).not.toContain("berg");
  expect(stored.has("candor.recent.a.example")).toBe(false);
});

it("forgets all when the person signs out, and recent results of the search", () => {
  keep("ada", "a.example", "q=berg");
  stored.set("candor.recent.a.example", "[]");
  stored.set("candor.recent.b.example", "[]");
  stored.set("another", "kept");
  forgetTab();
  expect([...stored.keys()]).toEqual(["another"]);
});

it("works without storage, and with what another version stored", () => {
  stored.set("candor.lists", "not JSON");
  expect(keptList("ada", "a.example", orders)).toBeUndefined();
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new Error("blocked");
    },
  });
  keep("ada", "a.example", "q=1");
  forgetTab();
  expect(keptList("ada", "a.example", orders)).toBeUndefined();
});
