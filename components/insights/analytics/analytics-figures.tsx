import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { ScoreBars } from "@/components/catalog/score-bars";
import { formatHours, formatShare } from "@/components/insights/analytics/format";
import { averageText, type Better, Change, type ChangeKind } from "@/components/insights/change";
import type { Figures } from "@/lib/insights/analytics/schema";
import { formatCount } from "@/lib/platform/i18n/format";

type Props = {
  total: Figures;
  /** of the days compared with; null without a comparison */
  before: Figures | null;
};

const percentOf = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100);
const publishedShare = ({ published, rejected }: Figures) => percentOf(published, published + rejected);
const conversion = ({ emails }: Figures) => emails && percentOf(emails.answered, emails.sent);

/** The figures of a period, and how they changed. */
export function AnalyticsFigures({ total, before }: Props) {
  const t = useTranslations();
  const change = (of: (figures: Figures) => number | null, kind: ChangeKind, better: Better = null) =>
    before && <Change value={of(total)} before={of(before)} kind={kind} better={better} />;
  const { emails } = total;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <Figure
        name={t("analytics.averageRating")}
        value={total.average === null ? "–" : averageText(total.average, t)}
        change={change(({ average }) => average, "average", "up")}
        wide
      >
        {t("analytics.ofPublished", { n: total.published })}
        <div className="mt-3">
          <ScoreBars dist={total.dist} />
        </div>
      </Figure>
      <Figure
        name={t("analytics.reviewsReceived")}
        value={formatCount(total.received, t.language)}
        change={change(({ received }) => received, "count")}
      >
        {total.pending > 0 ? t("analytics.pendingCount", { n: total.pending }) : t("analytics.nonePending")}
      </Figure>
      <Figure
        name={t("queue.published")}
        value={formatShare(total.published, total.published + total.rejected, t)}
        change={change(publishedShare, "percent")}
      >
        {t("analytics.ofModerated", { decided: total.published + total.rejected })}
      </Figure>
      <Figure
        name={t("analytics.conversion")}
        value={emails === null ? "–" : formatShare(emails.answered, emails.sent, t)}
        change={emails && change(conversion, "percent")}
      >
        {emails === null
          ? t("analytics.conversionUnavailable")
          : emails.sent === 0
            ? t("analytics.noEmailsSent")
            : t("analytics.conversionBasis", emails)}
      </Figure>
      <Figure
        name={t("analytics.moderationTime")}
        value={formatHours(total.median_hours, t)}
        change={change(({ median_hours }) => median_hours, "hours")}
      >
        {total.decided > 0
          ? t("analytics.moderationTimeBasis", { n: total.decided, hours: formatHours(total.p90_hours, t) })
          : t("analytics.noneModerated")}
      </Figure>
    </dl>
  );
}

type FigureProps = { name: string; value: string; change: ReactNode; wide?: boolean; children: ReactNode };

/** A number with its name, in small print what it is part of, and its change. */
function Figure({ name, value, change, wide = false, children }: FigureProps) {
  return (
    <div
      className={`flex flex-col rounded-card border border-line bg-raised p-4 shadow-raised ${wide ? "col-span-2 row-span-2" : ""}`}
    >
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="figures mt-1 text-2xl font-semibold">{value}</dd>
      <dd className="text-sm text-muted">{children}</dd>
      {change}
    </div>
  );
}
