import { describe, expect, it } from "vitest";
import { cutPage, decodeCursor, encodeCursor, nextLink } from "@/lib/platform/http/cursor";

const parts = ["time", "text"] as const;
const cursor = {
  order: "reviews.created",
  key: ["2026-02-28T08:00:00.123Z", "a1"],
  startedAt: "2026-03-01T00:00:00.000Z",
};
const decode = (after: string) => decodeCursor(after, "reviews.created", parts);
const forged = (...value: unknown[]) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a cursor", () => {
  it("round-trips", () => expect(decode(encodeCursor(cursor))).toEqual(cursor));

  it.each([
    ["", "empty"],
    ["***", "of another alphabet"],
    ["abc", "no JSON"],
    [`${encodeCursor(cursor)}=`, "padded"],
    [encodeCursor({ ...cursor, order: "orders" }), "of another list"],
    [forged("reviews.created", cursor.startedAt), "without its key"],
    [forged("reviews.created", cursor.startedAt, ...cursor.key, "x"), "with an extra part"],
    [forged("reviews.created", 1, ...cursor.key), "with an invalid start"],
    [forged("reviews.created", cursor.startedAt, "yesterday", "a1"), "with an invalid time"],
    [forged("reviews.created", cursor.startedAt, cursor.key[0], "a\0"), "with a NUL"],
    [forged("reviews.created", cursor.startedAt, cursor.key[0], 7), "with a number for an id"],
    // JavaScript accepts these as the following days; PostgreSQL rejects them.
    [forged("reviews.created", cursor.startedAt, "2026-02-30T00:00:00.000Z", "a1"), "on 30 February"],
    [forged("reviews.created", "2026-02-31T00:00:00.000Z", ...cursor.key), "started on 31 February"],
    [forged("reviews.created", cursor.startedAt, "2026-02-01T24:00:00.000Z", "a1"), "at hour 24"],
    ["x".repeat(2_001), "too long"],
  ])("%# is rejected if invalid: %s", (after) => {
    expect(() => decode(after)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  });
});

describe("nextLink", () => {
  it("keeps filters and removes credentials", () => {
    const url = new URL("http://127.0.0.1:1/v1/reviews?limit=2&token=sk_1&after=old&order_id=a%2Fb&token=sk_2");
    const next = new URL(nextLink("https://reviews.example", url, cursor));
    expect(next.origin + next.pathname).toBe("https://reviews.example/v1/reviews");
    expect(Object.fromEntries(next.searchParams)).toEqual({
      limit: "2",
      order_id: "a/b",
      after: encodeCursor(cursor),
    });
  });
});

describe("a page", () => {
  const row = (id: number, hit = true, edge = false) => ({ id, hit, edge });
  const sieved = { hit: ({ hit }: { hit: boolean }) => hit, edge: ({ edge }: { edge: boolean }) => edge };
  const cut = (rows: ReturnType<typeof row>[]) => {
    const { shown, last } = cutPage(rows, 2, sieved);
    return [shown.map(({ id }) => id), last?.id];
  };

  it("is cut after the limit if there are more rows", () => {
    expect(cutPage([1, 2, 3], 2)).toEqual({ shown: [1, 2], last: 2 });
    expect(cutPage([1, 2], 2)).toEqual({ shown: [1, 2], last: undefined });
    expect(cutPage([], 2)).toEqual({ shown: [], last: undefined });
  });

  it("continues after the last scanned row if filters leave too few", () => {
    expect(cut([row(1), row(2), row(3)])).toEqual([[1, 2], 2]);
    expect(cut([row(1), row(9, false, true)])).toEqual([[1], 9]);
    expect(cut([row(9, false, true)])).toEqual([[], 9]);
    expect(cut([row(1), row(9, true, true)])).toEqual([[1, 9], 9]);
    expect(cut([row(1), row(2), row(9, true, true)])).toEqual([[1, 2], 2]);
    expect(cut([row(1), row(2), row(9, false, true)])).toEqual([[1, 2], 9]);
  });
});
