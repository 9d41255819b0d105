import { useTranslations } from "#messages";
import { Link } from "@/components/ui/link";
import type { Analytics, Topic } from "@/lib/insights/analytics/schema";
import { formatCount } from "@/lib/platform/i18n/format";

type Props = {
  topics: Analytics["topics"];
  /** the reviews with these words */
  href: (words: string) => string;
};

/** The pros and cons that reviews name most often. */
export function AnalyticsTopics({ topics: { pros, cons, scanned }, href }: Props) {
  const t = useTranslations();
  if (pros.length + cons.length === 0) return null;
  const max = Math.max(...[...pros, ...cons].map(({ reviews }) => reviews));
  const list = (title: string, topics: Topic[], bar: string) => (
    <div>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {topics.length === 0 ? (
        <p className="text-sm text-muted">{t("analytics.noTopics")}</p>
      ) : (
        <ul className="flex flex-col gap-1.5 text-sm">
          {topics.map(({ text, reviews }) => (
            <li key={text} className="grid grid-cols-[minmax(0,1fr)_6rem_3rem] items-center gap-3">
              <Link className="link truncate" href={href(text)}>
                {text}
              </Link>
              <span aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-sunken">
                <span className={`block h-full rounded-full ${bar}`} style={{ width: `${(reviews / max) * 100}%` }} />
              </span>
              <span className="figures text-right">{formatCount(reviews, t.language)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
  return (
    <section aria-labelledby="topics" className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <h2 id="topics" className="font-semibold">
        {t("analytics.topicsTitle")}
      </h2>
      <p className="mb-3 text-sm text-muted">
        {scanned === null ? t("analytics.topicsHint") : t("analytics.topicsHintNewest", { scanned })}
      </p>
      <div className="grid gap-6 sm:grid-cols-2">
        {list(t("queue.pros"), pros, "bg-good")}
        {list(t("queue.cons"), cons, "bg-bad")}
      </div>
    </section>
  );
}
