import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar, BarStack } from "@visx/shape";
import clsx from "clsx";
import { useTranslations } from "#messages";
import { ChartAxisLabels } from "@/components/ui/chart-axis-labels";

export type Series = { name: string; tone: "accent" | "good" | "bad" | "muted" };

type Props = {
  /** text alternative for screen readers; gets the highest value */
  label: (max: number) => string;
  series: Series[];
  /** `name` is shown under a bar, `title` on hover; `values` are in the order of the series */
  bars: { name: string; title: string; values: number[] }[];
  /** stacks the series; otherwise the first is in front and narrower, so that both are visible */
  stacked?: boolean;
};

const fills = { accent: "fill-accent", good: "fill-good", bad: "fill-bad", muted: "fill-edge/55" } as const;
const swatches = { accent: "bg-accent", good: "bg-good", bad: "bg-bad", muted: "bg-edge/55" } as const;
const WIDTH = 600;
const HEIGHT = 150;
const IN_FRONT = 0.64;

/** Counts over time as bars. Rendered on the server and stretched to its container, so all text is outside the SVG. */
export function BarChart({ label, series, bars, stacked = false }: Props) {
  const t = useTranslations();
  const heights = bars.map(({ values }) =>
    stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values),
  );
  const max = Math.max(1, ...heights);
  const rows = bars.map(({ name, values }) => ({ name, ...values }));
  const x = scaleBand({ domain: bars.map(({ name }) => name), range: [0, WIDTH], paddingInner: 0.12 });
  const y = scaleLinear({ domain: [0, max], range: [HEIGHT, 0] });
  const width = x.bandwidth();
  return (
    <figure>
      <figcaption className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        {series.map(({ name, tone }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={clsx("size-2.5 rounded-[0.2rem]", swatches[tone])} />
            {name}
          </span>
        ))}
        <span className="figures ml-auto">{t("common.chartMax", { most: max.toLocaleString(t.language) })}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label(max)}
        className="h-36 w-full border-b border-line"
      >
        {bars.map(({ name, title }) => (
          <rect key={name} x={x(name)} width={width} height={HEIGHT} className="fill-transparent hover:fill-sunken">
            <title>{title}</title>
          </rect>
        ))}
        <g className="pointer-events-none">
          {stacked ? (
            <BarStack
              data={rows}
              keys={series.map((_, at) => at)}
              x={({ name }) => name}
              xScale={x}
              yScale={y}
              color={String}
            >
              {(stacks) =>
                stacks.flatMap((stack) =>
                  stack.bars.map((bar) => (
                    <Bar
                      key={`${stack.index} ${bar.index}`}
                      x={bar.x}
                      y={bar.y}
                      width={bar.width}
                      height={bar.height}
                      className={fills[series[stack.index]?.tone ?? "muted"]}
                    />
                  )),
                )
              }
            </BarStack>
          ) : (
            bars.flatMap(({ name, values }) =>
              series
                .map((one, at) => {
                  const share = series.length > 1 && at === 0 ? IN_FRONT : 1;
                  const top = y(values[at] ?? 0);
                  return (
                    <Bar
                      key={`${name} ${one.name}`}
                      x={(x(name) ?? 0) + (width * (1 - share)) / 2}
                      y={top}
                      width={width * share}
                      height={HEIGHT - top}
                      className={fills[one.tone]}
                    />
                  );
                })
                .reverse(),
            )
          )}
        </g>
      </svg>
      <div aria-hidden="true" className="figures mt-1.5 text-xs text-muted">
        <ChartAxisLabels names={bars.map(({ name }) => name)} />
      </div>
    </figure>
  );
}
