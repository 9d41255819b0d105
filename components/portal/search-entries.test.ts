import { afterEach, describe, expect, it, vi } from "vitest";
import { destinations } from "@/components/portal/destinations";
import { findDestinations, findStores, pathOf, readRecent, saveRecent } from "@/components/portal/search-entries";
import { withStore } from "@/components/portal/with-store";
import { portalText } from "@/lib/platform/i18n/messages";

const all = destinations(portalText("en"));
const names = (q: string, role: "viewer" | "admin" | "operator" = "operator") =>
  findDestinations(all, role, q, 6).map(({ kind, name }) => `${kind} ${name}`);

describe("pages, settings and actions", () => {
  it.each([
    ["analyt", ["page Analytics"]],
    ["api key", ["page API keys", "action Create API key"]],
    ["emails minimum", ["setting Minimum days between emails"]],
    ["webhook", ["action Create webhook"]],
    ["no such thing", []],
    ["  ", []],
  ])("are found by beginnings of their words: %j", (q, expected) => {
    expect(names(q)).toEqual(expected);
  });

  it("are found without accents and in any case", () => {
    const [page] = findDestinations(
      [{ kind: "page", name: "Über uns", path: "/", role: "viewer" }],
      "viewer",
      "UBER",
      6,
    );
    expect(page?.name).toBe("Über uns");
  });

  it("are found only by people who may see them", () => {
    expect(names("api keys", "viewer")).toEqual([]);
    expect(names("jobs", "admin")).toEqual([]);
    expect(names("jobs", "operator")).toEqual(["page Jobs"]);
  });
});

it("stores are found by their names and ids", () => {
  const stores = [
    { id: "shop-1.example", display_name: "Lanterna" },
    { id: "shop-2.example", display_name: "Ikaros" },
  ];
  expect(findStores(stores, "lant", 5).map(({ id }) => id)).toEqual(["shop-1.example"]);
  expect(findStores(stores, "shop 2", 5).map(({ id }) => id)).toEqual(["shop-2.example"]);
  expect(findStores(stores, "shop", 1)).toHaveLength(1);
});

describe("the page of a result", () => {
  it.each([
    ["order", "A/1 ä", "/portal/orders/A%2F1%20%C3%A4"],
    ["customer", "c&1", "/portal/orders?q=c%261"],
    ["seller_review", "r1", "/portal/seller_reviews/r1"],
  ] as const)("of a %s", (kind, id, path) => {
    expect(pathOf({ kind, id })).toBe(path);
  });

  it("names the store for people with several", () => {
    expect(withStore("/portal/orders/1", undefined)).toBe("/portal/orders/1");
    expect(withStore("/portal/orders/1", "a b")).toBe("/portal/orders/1?client_id=a%20b");
    expect(withStore("/portal/orders?q=1", "a")).toBe("/portal/orders?q=1&client_id=a");
  });
});

describe("recent results", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("are those opened last in this tab, each once, by store", () => {
    const stored = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    const result = (id: string) => ({ kind: "order" as const, id, title: id, detail: "Ada", text: null, score: null });
    for (const id of ["1", "2", "3", "4", "5", "6", "7", "5"]) saveRecent("a", result(id));
    expect(readRecent("a").map(({ id }) => id)).toEqual(["5", "7", "6", "4", "3", "2"]);
    saveRecent("a", { ...result("8"), kind: "customer" });
    expect(stored.get("candor.recent.a")).not.toMatch(/Ada|customer/);
    expect(readRecent("b")).toEqual([]);
    stored.set("candor.recent.a", "{");
    expect(readRecent("a")).toEqual([]);
  });
});
