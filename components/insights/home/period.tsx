import clsx from "clsx";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { ScoreBars } from "@/components/catalog/score-bars";
import { formatHours, formatShare } from "@/components/insights/analytics/format";
import { averageText, type Better, Change, type ChangeKind, ChangeText } from "@/components/insights/change";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { MIN_COMPARED_REVIEWS } from "@/lib/insights/analytics/values";
import type { ChangedProduct, PeriodFigures } from "@/lib/insights/home/schema";
import { formatCount, formatDay } from "@/lib/platform/i18n/format";

type Props = {
  figures: PeriodFigures;
  /** pages that show the figures in detail */
  href: {
    analytics: string;
    invitations: string;
    published: string;
    unreplied: string;
    product: (id: string) => string;
  };
};

const card = "rounded-card border border-line bg-raised p-4 shadow-raised";

/** How the store did in the last 30 days, compared with the 30 days before. */
export function Period({ figures, href }: Props) {
  const t = useTranslations();
  const { reviews, reviewsBefore, emails, emailsBefore, risen, fallen, reviewsCapped, emailsCapped } = figures;
  const isEmpty =
    reviews.published + reviews.decided + emails.sent === 0 &&
    !reviewsBefore?.published &&
    !reviewsBefore?.decided &&
    !emailsBefore?.sent;
  const compared = (value: number | null, before: number | null, kind: ChangeKind, better: Better) => (
    <Change value={value} before={before} kind={kind} better={better} />
  );
  return (
    <section aria-labelledby="period">
      <h2 id="period" className="font-semibold">
        {t("home.periodTitle")}
      </h2>
      <p className="mb-3 text-sm text-muted">
        {t("home.periodIntro", { from: formatDay(figures.from, t.language), to: formatDay(figures.to, t.language) })}
      </p>
      {reviewsCapped && (
        <div className="mb-3">
          <Notice>
            {t("home.reviewsCapped", {
              counted: reviewsCapped.counted,
              day: formatDay(reviewsCapped.since, t.language),
            })}
          </Notice>
        </div>
      )}
      {emailsCapped && (
        <div className="mb-3">
          <Notice>
            {t("home.emailsCapped", { counted: emailsCapped.counted, day: formatDay(emailsCapped.since, t.language) })}
          </Notice>
        </div>
      )}
      {isEmpty ? (
        <p className={clsx(card, "text-sm text-muted")}>{t("home.periodEmpty")}</p>
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">
            <div className={clsx(card, "col-span-full gap-x-6 sm:grid sm:grid-cols-[1fr_1.5fr]")}>
              <Name href={href.analytics}>{t("analytics.averageRating")}</Name>
              <Value>{reviews.average === null ? "–" : averageText(reviews.average, t)}</Value>
              <dd className="text-sm text-muted">{t("analytics.ofPublished", { n: reviews.published })}</dd>
              {compared(reviews.average, reviewsBefore?.average ?? null, "average", "up")}
              <dd className="mt-3 sm:col-start-2 sm:row-span-4 sm:row-start-1 sm:mt-0">
                <ScoreBars dist={reviews.dist} />
              </dd>
            </div>
            <Figure
              name={t("home.reviewsPublished")}
              href={href.published}
              value={formatCount(reviews.published, t.language)}
              change={compared(reviews.published, reviewsBefore?.published || null, "count", null)}
            />
            <Figure
              name={t("home.emailsSent")}
              href={href.invitations}
              value={formatCount(emails.sent, t.language)}
              change={compared(emails.sent, emailsBefore?.sent || null, "count", null)}
            >
              {t("home.emailsSentHint")}
            </Figure>
            <Figure
              name={t("analytics.conversion")}
              href={href.analytics}
              value={formatShare(emails.answered, emails.sent, t, 1)}
              change={compared(
                percentOf(emails.answered, emails.sent),
                emailsBefore && percentOf(emailsBefore.answered, emailsBefore.sent),
                "percent",
                null,
              )}
            >
              {emails.sent === 0
                ? t("analytics.noEmailsSent")
                : t("home.conversionBasis", { n: emails.answered, sent: emails.sent })}
            </Figure>
            <Figure
              name={t("home.repliedShare")}
              href={href.unreplied}
              value={formatShare(reviews.replied, reviews.published, t, 1)}
              change={compared(
                percentOf(reviews.replied, reviews.published),
                reviewsBefore && percentOf(reviewsBefore.replied, reviewsBefore.published),
                "percent",
                null,
              )}
            >
              {t("home.repliedBasis", { replied: reviews.replied, n: reviews.published })}
            </Figure>
            <Figure
              name={t("home.replyTime")}
              href={href.published}
              value={formatHours(reviews.reply_hours, t)}
              change={compared(reviews.reply_hours, reviewsBefore?.reply_hours ?? null, "hours", null)}
            >
              {t("home.replyTimeBasis")}
            </Figure>
            <Figure
              name={t("analytics.moderationTime")}
              href={href.analytics}
              value={formatHours(reviews.decision_hours, t)}
              change={compared(reviews.decision_hours, reviewsBefore?.decision_hours ?? null, "hours", null)}
            >
              {reviews.decided > 0
                ? t("home.moderationTimeBasis", { n: reviews.decided })
                : t("analytics.noneModerated")}
            </Figure>
          </dl>
          {reviewsBefore && (
            <div className={clsx(card, "mt-3 sm:mt-4")}>
              {risen.length + fallen.length > 0 ? (
                <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
                  <ChangedProducts title={t("home.risenProducts")} products={risen} href={href.product} />
                  <ChangedProducts title={t("home.fallenProducts")} products={fallen} href={href.product} />
                </div>
              ) : (
                <p className="text-sm">{t("home.noChangedProducts")}</p>
              )}
              <p className="mt-3 text-sm text-muted">
                {t("home.changedProductsHint", { count: MIN_COMPARED_REVIEWS })}
              </p>
            </div>
          )}
        </>
      )}
    </section>
  );
}

const percentOf = (part: number, total: number): number | null => (total === 0 ? null : (part / total) * 100);

function Figure({
  name,
  href,
  value,
  change,
  children,
}: {
  name: string;
  href: string;
  value: string;
  change: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={clsx(card, "flex flex-col")}>
      <Name href={href}>{name}</Name>
      <Value>{value}</Value>
      {children !== undefined && <dd className="text-sm text-muted">{children}</dd>}
      {change}
    </div>
  );
}

const Name = ({ href, children }: { href: string; children: ReactNode }) => (
  <dt className="text-sm break-words">
    <Link className="link" href={href}>
      {children}
    </Link>
  </dt>
);

const Value = ({ children }: { children: ReactNode }) => (
  <dd className="figures mt-1 text-2xl font-semibold">{children}</dd>
);

function ChangedProducts({
  title,
  products,
  href,
}: {
  title: string;
  products: ChangedProduct[];
  href: Props["href"]["product"];
}) {
  const t = useTranslations();
  return (
    <div>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {products.length === 0 ? (
        <p className="text-sm text-muted">{t("home.noProducts")}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {products.map(({ id, name, average, average_before }) => (
            <li key={id}>
              <span className="flex items-baseline justify-between gap-3">
                {name === null ? (
                  <span className="min-w-0 break-words">{id}</span>
                ) : (
                  <Link className="link min-w-0 break-words" href={href(id)}>
                    {name || id}
                  </Link>
                )}
                <span className="figures shrink-0 font-semibold">{averageText(average, t)}</span>
              </span>
              <ChangeText value={average} before={average_before} kind="average" better="up" />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
