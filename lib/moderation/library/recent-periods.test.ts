import { expect, it } from "vitest";
import { recentPeriods } from "@/lib/moderation/library/recent-periods";

it("are the last days and the last thirteen months, whole", () => {
  const periods = recentPeriods("2024-03-15");
  expect(periods.slice(0, 5)).toEqual([
    { days: 7, from: "2024-03-09", to: "2024-03-15" },
    { days: 30, from: "2024-02-15", to: "2024-03-15" },
    { days: 90, from: "2023-12-17", to: "2024-03-15" },
    { month: "2024-03", from: "2024-03-01", to: "2024-03-31" },
    { month: "2024-02", from: "2024-02-01", to: "2024-02-29" },
  ]);
  expect(periods).toHaveLength(16);
  expect(periods.at(-1)).toEqual({ month: "2023-03", from: "2023-03-01", to: "2023-03-31" });
});
