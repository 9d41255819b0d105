import clsx from "clsx";
import { useTranslations } from "#messages";
import { formatDay, formatMoment } from "@/lib/platform/i18n/format";

/** `at`: the time, if known more precisely than a day; `ahead`: still in the future. */
export type TimelineStep = { day: string; at: string | null; text: string; ahead: boolean };

/** Past and future steps of an item, oldest first; future ones are hollow. */
export function ItemTimeline({ label, steps, timeZone }: { label: string; steps: TimelineStep[]; timeZone: string }) {
  const t = useTranslations();
  return (
    <ol aria-label={label} className="mt-2 text-sm">
      {steps.map((step, index) => (
        <li
          key={`${step.at ?? step.day} ${step.text}`}
          className={clsx("relative flex gap-3 pb-3 last:pb-0", step.ahead && "text-muted")}
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={clsx(
                "absolute top-4.25 bottom-[-0.375rem] left-[0.3125rem] border-l",
                steps[index + 1]?.ahead ? "border-dashed border-edge" : "border-line",
              )}
            />
          )}
          <span
            aria-hidden="true"
            className={clsx(
              "mt-1.5 size-2.75 shrink-0 rounded-full border-2",
              step.ahead ? "border-edge bg-raised" : "border-accent bg-accent",
            )}
          />
          <span className="grid min-w-0 flex-1 gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <time dateTime={step.at ?? step.day} className="figures text-muted">
              {step.at ? formatMoment(step.at, timeZone, t.language) : formatDay(step.day, t.language)}
            </time>
            <span className="min-w-0">{step.text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
