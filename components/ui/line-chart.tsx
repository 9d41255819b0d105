import { useWords } from "#words";
import { ChartMarks } from "@/components/ui/chart-marks";
import { monthWords } from "@/components/ui/month-bars";

/** `label`: a month such as `2026-03`. */
type Point = { label: string; value: number | null };

type Props = {
  /** what is drawn, in words, for those who do not see it */
  label: string;
  points: Point[];
  /** the values of the lower and upper edge */
  range: [low: number, high: number];
  format: (value: number) => string;
};

const WIDTH = 600;
const HEIGHT = 140;

/** A value over time as a line; where there is none, the line is broken. Every point tells itself on hover. */
export function LineChart({ label, points, range: [low, high], format }: Props) {
  const t = useWords();
  const step = WIDTH / Math.max(1, points.length);
  const at = ({ value }: Point, index: number): [number, number] => [
    (index + 0.5) * step,
    HEIGHT - (((value ?? low) - low) / Math.max(high - low, 1e-9)) * HEIGHT,
  ];
  let path = "";
  let drawn = false;
  points.forEach((point, index) => {
    if (point.value === null) {
      drawn = false;
      return;
    }
    const [x, y] = at(point, index);
    path += `${drawn ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    drawn = true;
  });
  const known = points.filter(({ value }) => value !== null);
  const last = known.at(-1);
  return (
    <div>
      <div className="flex gap-2">
        <div
          aria-hidden="true"
          className="figures flex w-8 shrink-0 flex-col justify-between text-right text-xs text-muted"
        >
          <span>{format(high)}</span>
          <span>{format((low + high) / 2)}</span>
          <span>{format(low)}</span>
        </div>
        <svg
          viewBox={`0 -6 ${WIDTH} ${HEIGHT + 12}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={
            last?.value == null ? label : `${label}; ${monthWords(last.label, t.locale)}: ${format(last.value)}`
          }
          className="h-36 w-0 min-w-0 flex-1 overflow-visible"
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              x1={0}
              x2={WIDTH}
              y1={HEIGHT * part}
              y2={HEIGHT * part}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <path d={path} fill="none" className="stroke-accent" strokeWidth={2} vectorEffect="non-scaling-stroke" />
          {points.map((point, index) => {
            if (point.value === null) return null;
            const [x, y] = at(point, index);
            return (
              <g key={point.label} className="group">
                <rect x={x - step / 2} y={-6} width={step} height={HEIGHT + 12} fill="transparent">
                  <title>{`${monthWords(point.label, t.locale)}: ${format(point.value)}`}</title>
                </rect>
                {/* a point is a line of no length: round whatever the picture's proportions */}
                <path
                  d={`M${x} ${y}h0`}
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
        <ChartMarks names={points.map((point) => monthWords(point.label, t.locale))} />
      </p>
    </div>
  );
}
