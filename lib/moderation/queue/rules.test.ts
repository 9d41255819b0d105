import { describe, expect, it } from "vitest";
import {
  filterQueryString,
  isInQueueOf,
  isOldestFirst,
  kindsOf,
  matchesStatus,
  readFilter,
  systemViews,
} from "@/lib/moderation/queue/rules";
import { QueueFilter } from "@/lib/moderation/queue/schema";

const read = (search: string) => {
  const query = new URLSearchParams(search);
  return readFilter((name) => query.get(name));
};

describe("readFilter", () => {
  it("defaults to pending items", () => expect(read("")).toEqual({ status: "pending" }));

  it("reads every filter", () => {
    const all = {
      kind: "review",
      status: "rejected",
      source: "web",
      lang: "sv",
      verified: "1",
      photo: "1",
      reported: "1",
      unverified: "1",
      unreplied: "1",
      text: "1",
      reason: "spam",
      age: "week",
      assigned: "me",
      product: "SKU 1",
      brand: "A & B",
      words: "50 % off?",
      q: "anna@shop.example",
    };
    expect(Object.keys(all).sort()).toEqual(Object.keys(QueueFilter.shape).sort());
    expect(read(new URLSearchParams(all).toString())).toEqual(all);
  });

  it("produces the same query string for the same filter, whatever its order", () => {
    const one = read("lang=sv&status=rejected&words=a%26b");
    expect(filterQueryString(one)).toBe(filterQueryString({ words: "a&b", status: "rejected", lang: "sv" }));
    expect(read(filterQueryString(one))).toEqual(one);
    expect(filterQueryString(read(""))).toBe("status=pending");
  });

  it("drops invalid values and keeps the rest", () => {
    expect(read("status=nonsense&source=fax&lang=%3Cb%3E&verified=yes&photo=1&q=%20")).toEqual({
      status: "pending",
      photo: "1",
    });
  });

  it("accepts the same values as the schema", () => {
    const words = ["1", "2", "sv", "svenska", " ", "all", "pending", "web", "spam", "review", "week", "x".repeat(101)];
    const odd = ["x".repeat(100), "\u{1f600}".repeat(100), "\u{1f600}".repeat(101), "x".repeat(255), "x".repeat(256)];
    const any = [...words, ...odd, "x".repeat(320), "x".repeat(321), "DE", "\n"];
    for (const name of Object.keys(QueueFilter.shape))
      for (const value of any) {
        const schemaAccepts = QueueFilter.shape[name as keyof QueueFilter].safeParse(value).success;
        const filterAccepts =
          readFilter((field) => (field === name ? value : null))[name as keyof QueueFilter] === value;
        expect([name, value, filterAccepts]).toEqual([name, value, schemaAccepts]);
      }
  });

  it("ignores filters by score", () => expect(read("score=1&stars=1")).toEqual({ status: "pending" }));
});

it("offers system views with distinct, valid filters", () => {
  for (const { filter } of systemViews) expect(read(filterQueryString(filter))).toEqual(filter);
  expect(new Set(systemViews.map(({ filter }) => filterQueryString(filter))).size).toBe(systemViews.length);
});

describe("the queue's order", () => {
  it("lists pending items oldest first, others newest first", () => {
    expect(isOldestFirst({ status: "pending" })).toBe(true);
    for (const status of ["accepted", "rejected", "all"] as const) expect(isOldestFirst({ status })).toBe(false);
  });

  it("keeps a decided review only in the lists it matches", () => {
    const lists = ["pending", "accepted", "rejected", "all"] as const;
    const matchingLists = (accepted: boolean | null) => lists.filter((status) => matchesStatus({ status }, accepted));
    expect(matchingLists(null)).toEqual(["pending", "all"]);
    expect(matchingLists(true)).toEqual(["accepted", "all"]);
    expect(matchingLists(false)).toEqual(["rejected", "all"]);
  });
});

describe("the kinds of a filter", () => {
  it("include photos next to other kinds only if pending", () => {
    expect(kindsOf({ status: "pending" })).toContain("photo");
    for (const status of ["accepted", "rejected", "all"] as const) {
      expect(kindsOf({ status })).not.toContain("photo");
      expect(kindsOf({ status, kind: "photo" })).toEqual(["photo"]);
    }
    expect(kindsOf({ status: "pending", kind: "photo", lang: "sv" })).toEqual([]);
  });
});

describe("queue ownership", () => {
  const shop = (own_moderation: boolean) => ({ own_moderation, account_id: "acc_1" });
  const people = { role: "viewer", accountId: "acc_1" } as const;
  const operator = { role: "operator", accountId: null } as const;

  it("belongs to the store's team if it moderates itself, else to operators", () => {
    expect([isInQueueOf(people, shop(true)), isInQueueOf(operator, shop(true))]).toEqual([true, false]);
    expect([isInQueueOf(people, shop(false)), isInQueueOf(operator, shop(false))]).toEqual([false, true]);
  });

  it("counts an operator of the store's own account as a team member", () => {
    expect(isInQueueOf({ ...operator, accountId: "acc_1" }, shop(true))).toBe(true);
    expect(isInQueueOf({ ...operator, accountId: "acc_2" }, shop(true))).toBe(false);
  });
});
