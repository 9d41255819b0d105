"use client";

import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar, BarStack, Line, LinePath } from "@visx/shape";
import clsx from "clsx";
import { ArrowDown, ArrowUp, Download } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useTranslations } from "#messages";
import { buttonClass } from "@/components/ui/button";
import { ChartAxisLabels } from "@/components/ui/chart-axis-labels";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";

export type ChartTone = "accent" | "good" | "bad" | "muted";

/** One value per column, as saved in CSV, and the same as text. */
export type ChartSeries = { name: string; tone: ChartTone; values: (number | null)[]; texts: string[] };

type Props = {
  /** says what the chart shows */
  label: string;
  /** stacked bars, or lines that end where a value is missing */
  kind: "bars" | "lines";
  /** Columns from left to right. `day` is the first one of each: the column's value in CSV. */
  columns: { name: string; day: string }[];
  /** what the columns are: Day, Month */
  columnsName: string;
  series: ChartSeries[];
  /** values of the axis, lowest first, as numbers and as text */
  ticks: { value: number; text: string }[];
  fileName: string;
};

const fills = { accent: "fill-accent", good: "fill-good", bad: "fill-bad", muted: "fill-edge/55" } as const;
const strokes = { accent: "stroke-accent", good: "stroke-good", bad: "stroke-bad", muted: "stroke-edge" } as const;
const swatches = { accent: "bg-accent", good: "bg-good", bad: "bg-bad", muted: "bg-edge/55" } as const;
const WIDTH = 600;
const HEIGHT = 140;

/**
 * Values over time. A column's values are shown under the pointer, or with the arrow keys; each series can be hidden.
 * The same as a table below, to sort and to save as CSV.
 */
export function TimeChart({ label, kind, columns, columnsName, series, ticks, fileName }: Props) {
  const t = useTranslations();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<number | null>(null);
  const shown = series.filter(({ name }) => !hidden.has(name));
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    // One stays.
    if (next.size < series.length) setHidden(next);
  };
  const last = columns.length - 1;
  const current = active === null ? null : Math.min(active, last);
  const textOf = (index: number) =>
    `${columns[index]?.name}: ${shown.map(({ name, texts }) => `${name} ${texts[index]}`).join(", ")}`;
  const onKeyDown = (event: KeyboardEvent) => {
    const at = current ?? last;
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: last,
      Escape: null,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setActive(to === null ? null : Math.min(last, Math.max(0, to)));
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setActive(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * columns.length))));
  };
  return (
    <figure>
      {series.length > 1 && (
        <figcaption className="mb-2 flex flex-wrap gap-x-1 text-sm text-muted">
          {series.map(({ name, tone }) => (
            <button
              key={name}
              type="button"
              aria-pressed={!hidden.has(name)}
              onClick={() => toggle(name)}
              className="inline-flex h-9 items-center gap-1.5 rounded-control px-1.5 not-aria-pressed:line-through not-aria-pressed:opacity-60 hover:bg-sunken lg:h-8"
            >
              <span aria-hidden="true" className={clsx("size-2.5 rounded-[0.2rem]", swatches[tone])} />
              {name}
            </button>
          ))}
        </figcaption>
      )}
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="figures flex w-10 shrink-0 flex-col-reverse justify-between text-right text-xs text-muted"
        >
          {ticks.map(({ value, text }) => (
            <span key={value}>{text}</span>
          ))}
        </div>
        {/* A slider without a value to set: screen readers read the text of the column that the arrow keys lead to. */}
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-readonly="true"
          aria-valuemin={1}
          aria-valuemax={columns.length}
          aria-valuenow={(current ?? last) + 1}
          aria-valuetext={textOf(current ?? last)}
          className="relative h-36 min-w-0 flex-1 cursor-default touch-pan-y"
          onKeyDown={onKeyDown}
          onFocus={({ currentTarget }) => {
            // A touch shows its own column.
            if (currentTarget.matches(":focus-visible")) setActive((at) => at ?? last);
          }}
          onBlur={() => setActive(null)}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          onPointerLeave={({ pointerType }) => pointerType !== "touch" && setActive(null)}
        >
          <Plot kind={kind} columns={columns.length} series={shown} ticks={ticks} active={current} />
          {current !== null && (
            <div
              aria-hidden="true"
              className={clsx(
                "pointer-events-none absolute bottom-full z-10 mb-1 rounded-control border border-line bg-lifted px-2.5 py-1.5 text-xs whitespace-nowrap shadow-raised",
                current <= last / 2 ? "left-(--at)" : "right-(--from-right)",
              )}
              style={{
                ["--at" as string]: `${(current / columns.length) * 100}%`,
                ["--from-right" as string]: `${((last - current) / columns.length) * 100}%`,
              }}
            >
              <p className="font-medium">{columns[current]?.name}</p>
              {shown.map(({ name, tone, texts }) => (
                <p key={name} className="figures flex items-center gap-1.5">
                  <span className={clsx("size-2 rounded-[0.15rem]", swatches[tone])} />
                  {name}
                  <span className="ml-auto pl-3 font-medium">{texts[current]}</span>
                </p>
              ))}
            </div>
          )}
        </div>
      </div>
      <div aria-hidden="true" className="figures mt-1.5 ml-12 text-xs text-muted">
        <ChartAxisLabels names={columns.map(({ name }) => name)} />
      </div>
      <details className="mt-3 text-sm">
        <summary className="w-fit cursor-pointer text-muted hover:text-ink">{t("charts.showTable")}</summary>
        <ChartTable label={label} columns={columns} columnsName={columnsName} series={series} fileName={fileName} />
      </details>
    </figure>
  );
}

type PlotProps = {
  kind: Props["kind"];
  columns: number;
  series: ChartSeries[];
  ticks: Props["ticks"];
  active: number | null;
};

/** Stretched to its container, so all text is outside. */
function Plot({ kind, columns, series, ticks, active }: PlotProps) {
  const indexes = Array.from({ length: columns }, (_, index) => index);
  const x = scaleBand({ domain: indexes, range: [0, WIDTH], paddingInner: kind === "bars" ? 0.12 : 0 });
  const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1];
  const y = scaleLinear({ domain: [low, Math.max(high, low + 1e-9)], range: [HEIGHT, 0], clamp: true });
  const width = x.bandwidth();
  const middle = (index: number) => (x(index) ?? 0) + width / 2;
  const data = indexes.map((index) => ({ index, ...series.map(({ values }) => values[index] ?? 0) }));
  return (
    <svg
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible"
    >
      {ticks.map(({ value }) => (
        <Line
          key={value}
          from={{ x: 0, y: y(value) }}
          to={{ x: WIDTH, y: y(value) }}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {active !== null && (
        <rect x={x(active)} width={width} y={0} height={HEIGHT} className="fill-sunken" fillOpacity={0.9} />
      )}
      {kind === "bars" ? (
        <BarStack
          data={data}
          keys={series.map((_, at) => at)}
          x={({ index }) => index}
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
        series.map(({ name, tone, values }) => (
          <g key={name} className={strokes[tone]}>
            <LinePath
              data={indexes}
              defined={(index) => values[index] !== null}
              x={middle}
              y={(index) => y(values[index] ?? low)}
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
              className="fill-none"
            />
            {indexes.map((index) => {
              const value = values[index];
              if (value === null || value === undefined) return null;
              // a line of length zero: round in any proportions
              return (
                <path
                  key={index}
                  d={`M${middle(index)} ${y(value)}h0`}
                  strokeWidth={columns > 40 ? 3 : 6}
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                />
              );
            })}
          </g>
        ))
      )}
    </svg>
  );
}

type Sorting = { by: "column" | number; descending: boolean };

function ChartTable({
  label,
  columns,
  columnsName,
  series,
  fileName,
}: Pick<Props, "label" | "columns" | "columnsName" | "series" | "fileName">) {
  const t = useTranslations();
  const [sorting, setSorting] = useState<Sorting>({ by: "column", descending: false });
  const sortKey = (row: number) =>
    sorting.by === "column" ? row : (series[sorting.by]?.values[row] ?? Number.NEGATIVE_INFINITY);
  const rows = columns
    .map((_, row) => row)
    .sort((a, b) => (sorting.descending ? sortKey(b) - sortKey(a) : sortKey(a) - sortKey(b)));
  const head = (by: Sorting["by"], name: string) => {
    const isSorted = sorting.by === by;
    const Arrow = sorting.descending ? ArrowDown : ArrowUp;
    return (
      <Head
        key={name}
        aria-sort={isSorted ? (sorting.descending ? "descending" : "ascending") : "none"}
        className={by === "column" ? "" : "text-right"}
      >
        <button
          type="button"
          onClick={() => setSorting({ by, descending: isSorted ? !sorting.descending : by !== "column" })}
          className="inline-flex items-center gap-1 hover:text-ink"
        >
          {name}
          {isSorted && <Arrow aria-hidden="true" className="size-3" />}
        </button>
      </Head>
    );
  };
  const csv = [
    [columnsName, ...series.map(({ name }) => name)],
    ...columns.map(({ day }, row) => [day, ...series.map(({ values }) => String(values[row] ?? ""))]),
  ]
    .map((line) => line.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\r\n");
  return (
    <div className="mt-2">
      <Table caption={label}>
        <Heads>
          {head("column", columnsName)}
          {series.map(({ name }, at) => head(at, name))}
        </Heads>
        <Rows>
          {rows.map((row) => (
            <Row key={columns[row]?.day}>
              <Cell className="whitespace-nowrap">{columns[row]?.name}</Cell>
              {series.map(({ name, texts }) => (
                <Cell key={name} className="figures text-right">
                  {texts[row]}
                </Cell>
              ))}
            </Row>
          ))}
        </Rows>
      </Table>
      {/* A data: link: the values are here already. */}
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(`${csv}\r\n`)}`}
        download={fileName}
        className={clsx(buttonClass({ size: "small" }), "mt-2")}
      >
        <Download aria-hidden="true" className="size-3.5" />
        {t("common.exportCsv")}
      </a>
    </div>
  );
}
