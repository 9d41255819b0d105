import { expect, it } from "vitest";
import { LineChart } from "@/components/ui/line-chart";
import { MonthBars } from "@/components/ui/month-bars";
import { renderInEnglish } from "@/lib/tools/test/render";

const months = ["2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2026-11"];

/** The center of each label under a chart, in percent of its width. */
const middles = (html: string): [name: string, middle: number][] =>
  [...html.matchAll(/(left|right)-0[^>]*?width:([\d.]+)%[^>]*>([^<]+)/g)].map(([, edge, width, name]) => [
    name ?? "",
    Math.round(edge === "left" ? Number(width) / 2 : 100 - Number(width) / 2),
  ]);

it("centers names under their columns, also if there is no middle column", () => {
  const places = [
    ["Jun 2026", 8],
    ["Aug 2026", 42],
    ["Nov 2026", 92],
  ];
  const points = months.map((label) => ({ label, value: 3 }));
  expect(middles(renderInEnglish(<LineChart label="Scores" points={points} range={[1, 5]} format={String} />))).toEqual(
    places,
  );
  const bars = months.map((month) => ({ month, values: [1] }));
  expect(
    middles(renderInEnglish(<MonthBars label="Reviews" months={bars} series={[{ name: "All", tone: "accent" }]} />)),
  ).toEqual(places);
});

it("shows a single month once", () => {
  const html = renderInEnglish(
    <LineChart label="Scores" points={[{ label: "2026-06", value: 3 }]} range={[1, 5]} format={String} />,
  );
  expect(middles(html)).toEqual([["Jun 2026", 50]]);
});
