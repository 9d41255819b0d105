import { useTranslations } from "#messages";
import { percent } from "@/components/ui/percent";

/** Number and share of each score, the best first. */
export function ScoreBars({ dist }: { dist: readonly number[] }) {
  const t = useTranslations();
  const all = dist.reduce((sum, count) => sum + count, 0);
  return (
    <dl className="flex flex-col gap-1.5 text-sm">
      {[5, 4, 3, 2, 1].map((score) => {
        const count = dist[score - 1] ?? 0;
        const share = all === 0 ? 0 : count / all;
        return (
          <div key={score} className="grid grid-cols-[3.5rem_1fr_5.5rem] items-center gap-3">
            <dt className="text-muted">{t("common.starCount", { n: score })}</dt>
            <dd aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-star" style={{ width: `${share * 100}%` }} />
            </dd>
            <dd className="figures text-right">
              {count.toLocaleString(t.language)}
              <span className="ml-1.5 inline-block w-9 text-muted">{percent(share, t.language)}</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
