import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDay } from "@/lib/feeds/read-day";

const LATEST = "2026-11-22";

describe("dates as people and programs write them", () => {
  it.each([
    ["2026-05-14T00:00:00.000Z", "2026-05-14"],
    ["2026-06-29 23:41:16 UTC", "2026-06-29"],
    ["2015-03-14 12:01:34 -0400", "2015-03-14"],
    ["2020/1/9", "2020-01-09"],
    ["31.12.2025", "2025-12-31"],
    ["1. 2. 2025", "2025-02-01"],
    ["31/12/2025 10:00", "2025-12-31"],
    ["12/31/2025", "2025-12-31"],
    ["5 January 2024", "2024-01-05"],
    ["Jan 5, 2024", "2024-01-05"],
    ["Tuesday, March 3rd 2020 10:11", "2020-03-03"],
    ["Fri, 21 Nov 2025 10:00:00 GMT", "2025-11-21"],
    [" 2024-02-29 ", "2024-02-29"],
  ])("reads %s as %s", (given, day) => expect(parseDay(given, LATEST)?.day).toBe(day));

  it.each(["", "yesterday", "2025-02-30", "31/31/2025", "0000-01-01", "20250101", "1/2/25", "31 Brumaire 1799", "{}"])(
    "rejects %j",
    (given) => expect(parseDay(given, LATEST)).toBeNull(),
  );

  it("are ambiguous if day and month can be swapped, unless one reading is in the future", () => {
    expect(parseDay("03/04/2025", LATEST)).toEqual({
      day: "2025-04-03",
      alternative: "2025-03-04",
      impliedOrder: null,
    });
    expect(parseDay("04/04/2025", LATEST)).toEqual({ day: "2025-04-04", alternative: null, impliedOrder: null });
    expect(parseDay("01/12/2026", LATEST)).toEqual({ day: "2026-01-12", alternative: null, impliedOrder: null });
    expect(parseDay("25/12/2025", LATEST)).toMatchObject({ impliedOrder: "day_first" });
    expect(parseDay("12/25/2025", LATEST)).toMatchObject({ impliedOrder: "month_first" });
  });

  it("return an existing day or null, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789/-. JanFebT:Z,st"), maxLength: 16 }), (text) => {
        const read = parseDay(text, LATEST);
        for (const day of [read?.day, read?.alternative]) {
          if (day) expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day);
        }
      }),
    );
  });
});
