import { expect, it } from "vitest";
import { countTicks } from "@/components/ui/chart-ticks";

it("ends an axis at a round number, with a whole one in the middle", () => {
  expect([0, 1, 3, 9, 13, 99, 101, 4_817].map(countTicks)).toEqual([
    [0, 1, 2],
    [0, 1, 2],
    [0, 2, 4],
    [0, 5, 10],
    [0, 7, 14],
    [0, 50, 100],
    [0, 60, 120],
    [0, 2_500, 5_000],
  ]);
});
