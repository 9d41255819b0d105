import { describe, expect, it } from "vitest";
import { comparedDays, daysOfUnit, rangeOf, unitOf, unitStarts } from "@/lib/insights/analytics/rules";

const today = "2026-03-15";

describe("periods", () => {
  it.each([
    ["7d", "2026-03-09", today],
    ["30d", "2026-02-14", today],
    ["90d", "2025-12-16", today],
    ["month", "2026-03-01", today],
    ["last_month", "2026-02-01", "2026-02-28"],
    ["quarter", "2026-01-01", today],
    ["last_quarter", "2025-10-01", "2025-12-31"],
    ["year", "2026-01-01", today],
    ["12m", "2025-04-01", today],
    ["24m", "2024-04-01", today],
  ] as const)("%s is %s to %s", (period, from, to) => {
    expect(rangeOf({ period }, today)).toEqual({ from, to });
  });

  it("can be chosen by their days, of which one may be missing", () => {
    const custom = (days: { from?: string; to?: string }) => rangeOf({ period: "custom", ...days }, today);
    expect(custom({ from: "2025-12-01", to: "2025-12-24" })).toEqual({ from: "2025-12-01", to: "2025-12-24" });
    expect(custom({ from: "2025-12-01" })).toEqual({ from: "2025-12-01", to: today });
    expect(custom({ to: "2024-02-29" })).toEqual({ from: "2023-02-28", to: "2024-02-29" });
    expect(custom({ from: "0001-01-01" }).from).toBe("1990-01-01");
    expect(custom({})).toEqual(rangeOf({ period: "12m" }, today));
    expect(custom({ from: "2026-03-02", to: "2026-03-01" })).toEqual({ from: "2026-03-01", to: "2026-03-02" });
    expect(custom({ from: "9999-06-15", to: "9999-12-31" })).toEqual({ from: "2026-03-16", to: "2026-03-16" });
    expect(custom({ from: "0001-01-01", to: "4100-01-01" })).toEqual({ from: "1990-01-01", to: "2026-03-16" });
    expect(rangeOf({ period: "7d", from: "2025-12-01" }, today).from).toBe("2026-03-09");
  });
});

describe("comparisons", () => {
  it.each([
    ["7d", "2026-03-02", "2026-03-08"],
    ["month", "2026-02-01", "2026-02-15"],
    ["last_month", "2026-01-01", "2026-01-31"],
    ["quarter", "2025-10-01", "2025-12-15"],
    ["last_quarter", "2025-07-01", "2025-09-30"],
    ["year", "2025-01-01", "2025-03-15"],
    ["12m", "2024-04-01", "2025-03-15"],
  ] as const)("%s is compared with %s to %s", (period, from, to) => {
    expect(comparedDays(rangeOf({ period }, today), { compare: "previous", period })).toEqual({ from, to });
  });

  it("are with as many days before a custom period", () => {
    const range = { from: "2026-02-14", to: today };
    expect(comparedDays(range, { compare: "previous", period: "custom" })).toEqual({
      from: "2026-01-15",
      to: "2026-02-13",
    });
  });

  it("are with the same days a year before, or with nothing", () => {
    const yearBefore = (from: string, to: string) => comparedDays({ from, to }, { compare: "year", period: "custom" });
    expect(yearBefore("2026-02-14", today)).toEqual({ from: "2025-02-14", to: "2025-03-15" });
    expect(yearBefore("2024-02-29", "2024-03-01")).toEqual({ from: "2023-02-28", to: "2023-03-01" });
    const february = rangeOf({ period: "last_month" }, "2025-03-15");
    expect(comparedDays(february, { compare: "year", period: "last_month" })?.to).toBe("2024-02-29");
    expect(comparedDays({ from: today, to: today }, { compare: "none", period: "custom" })).toBeNull();
  });

  it("end on the last day of a shorter month", () => {
    const march = rangeOf({ period: "month" }, "2026-03-31");
    expect(comparedDays(march, { compare: "previous", period: "month" })?.to).toBe("2026-02-28");
  });
});

describe("units", () => {
  it("are few enough for a chart", () => {
    const unitFrom = (from: string) => unitOf({ from, to: today });
    expect(["2026-03-15", "2026-01-13"].map(unitFrom)).toEqual(["day", "day"]);
    expect(["2026-01-12", "2025-09-07"].map(unitFrom)).toEqual(["week", "week"]);
    expect(["2025-09-06", "2021-03-16"].map(unitFrom)).toEqual(["month", "month"]);
    expect(unitFrom("2021-03-01")).toBe("year");
  });

  it("cover a period without gaps; weeks start on Mondays", () => {
    const range = { from: "2025-12-31", to: "2026-01-13" };
    const starts = unitStarts(range, "week");
    expect(starts).toEqual(["2025-12-29", "2026-01-05", "2026-01-12"]);
    expect(starts.map((start) => daysOfUnit(start, "week", range))).toEqual([
      { from: "2025-12-31", to: "2026-01-04" },
      { from: "2026-01-05", to: "2026-01-11" },
      { from: "2026-01-12", to: "2026-01-13" },
    ]);
    expect(unitStarts(range, "month")).toEqual(["2025-12-01", "2026-01-01"]);
    expect(unitStarts({ from: "2019-05-01", to: "2021-01-01" }, "year")).toEqual([
      "2019-01-01",
      "2020-01-01",
      "2021-01-01",
    ]);
  });
});
