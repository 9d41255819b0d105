import { expect, it } from "vitest";
import { ChartAxisLabels } from "@/components/ui/chart-axis-labels";
import { renderInEnglish } from "@/lib/tools/test/render";

/** The center of each label under a chart, in percent of its width. */
const middles = (names: string[]): [name: string, middle: number][] =>
  [
    ...renderInEnglish(<ChartAxisLabels names={names} />).matchAll(/(left|right)-0[^>]*?width:([\d.]+)%[^>]*>([^<]+)/g),
  ].map(([, edge, width, name]) => [
    name ?? "",
    Math.round(edge === "left" ? Number(width) / 2 : 100 - Number(width) / 2),
  ]);

it("centers names under their columns, also if there is no middle column", () => {
  expect(middles(["Jun", "Jul", "Aug", "Sep", "Oct", "Nov"])).toEqual([
    ["Jun", 8],
    ["Aug", 42],
    ["Nov", 92],
  ]);
});

it("shows a single month once", () => {
  expect(middles(["Jun"])).toEqual([["Jun", 50]]);
});
