import { scaleBand, scaleLinear } from "@visx/scale";
import { Line, LinePath } from "@visx/shape";
import { useTranslations } from "#messages";
import { ChartAxisLabels } from "@/components/ui/chart-axis-labels";
import { formatMonth } from "@/lib/platform/i18n/format";

/** `label`: a month such as `2026-03`. */
type Point = { label: string; value: number | null };

type Props = {
  /** text alternative for screen readers */
  label: string;
  points: Point[];
  /** values of the lower and upper edge */
  range: [low: number, high: number];
  format: (value: number) => string;
};

const WIDTH = 600;
const HEIGHT = 140;

/**
 * A value over time as a line, interrupted where there is none. Each point shows its value on hover. Rendered on the
 * server and stretched to its container, so all text is outside the SVG.
 */
export function LineChart({ label, points, range: [low, high], format }: Props) {
  const t = useTranslations();
  const x = scaleBand({ domain: points.map((point) => point.label), range: [0, WIDTH] });
  const y = scaleLinear({ domain: [low, Math.max(high, low + 1e-9)], range: [HEIGHT, 0] });
  const marks = [high, (low + high) / 2, low];
  const middle = (point: Point) => (x(point.label) ?? 0) + x.bandwidth() / 2;
  const known = points.filter(({ value }) => value !== null);
  const last = known.at(-1);
  return (
    <div>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="figures flex w-8 shrink-0 flex-col justify-between text-right text-xs text-muted"
        >
          {marks.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: values may be equal
            <span key={index}>{format(value)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 -6 ${WIDTH} ${HEIGHT + 12}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            last?.value == null ? label : `${label}; ${formatMonth(last.label, t.language)}: ${format(last.value)}`
          }
          className="h-36 w-0 min-w-0 flex-1 overflow-visible"
        >
          {marks.map((value, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: values may be equal
              key={index}
              from={{ x: 0, y: y(value) }}
              to={{ x: WIDTH, y: y(value) }}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <LinePath
            data={points}
            defined={({ value }) => value !== null}
            x={middle}
            y={({ value }) => y(value ?? low)}
            className="stroke-accent"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
          {points.map((point) => {
            if (point.value === null) return null;
            return (
              <g key={point.label}>
                <rect x={x(point.label)} y={-6} width={x.bandwidth()} height={HEIGHT + 12} fill="transparent">
                  <title>{`${formatMonth(point.label, t.language)}: ${format(point.value)}`}</title>
                </rect>
                {/* a line of length zero: round in any proportions */}
                <path
                  d={`M${middle(point)} ${y(point.value)}h0`}
                  strokeWidth={6}
                  strokeLinecap="round"
                  vectorEffect="non-scaling-stroke"
                  className="pointer-events-none stroke-accent"
                />
              </g>
            );
          })}
        </svg>
      </div>
      <p aria-hidden="true" className="mt-1.5 ml-10 text-xs text-muted">
        <ChartAxisLabels names={points.map((point) => formatMonth(point.label, t.language))} />
      </p>
    </div>
  );
}
