import clsx from "clsx";
import { useTranslations } from "#messages";
import { formatShare } from "@/components/insights/analytics/format";

type Counts = {
  planned: number;
  sent: number;
  failed: number;
  waiting: number;
  delivered: number | null;
  bounced: number | null;
  untold: number | null;
  opened: number | null;
  clicked: number | null;
  reviewed: number;
};

/**
 * The stages of invitation emails: each bar is a share of the planned emails. The losses of each stage are listed
 * beside it.
 */
export function FunnelStages({ total }: { total: Counts }) {
  const t = useTranslations();
  const stages: {
    name: string;
    count: number | null;
    aside?: (string | false)[];
    tone: string;
    isFirst?: true;
  }[] = [
    { name: t("invitations.scheduled"), count: total.planned, tone: "bg-edge/45", isFirst: true },
    {
      name: t("invitations.sent"),
      count: total.sent,
      aside: [
        total.failed > 0 && t("invitations.failedCount", { n: total.failed }),
        total.waiting > 0 && t("invitations.notSentCount", { n: total.waiting }),
      ],
      tone: "bg-accent/70",
    },
    {
      name: t("invitations.delivered"),
      count: total.delivered,
      aside: [
        !!total.bounced && t("invitations.bouncedCount", { n: total.bounced }),
        !!total.untold && t("invitations.noStatusCount", { n: total.untold }),
      ],
      tone: "bg-accent/80",
    },
    { name: t("invitations.opened"), count: total.opened, tone: "bg-accent/90" },
    { name: t("invitations.clicked"), count: total.clicked, tone: "bg-accent" },
    { name: t("invitations.reviewed"), count: total.reviewed, tone: "bg-good" },
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-2.5 sm:gap-x-4">
      {stages.map(({ name, count, aside, tone, isFirst }) => (
        <div key={name} className="contents">
          <dt className="text-sm font-medium">{name}</dt>
          <dd aria-hidden="true" className="h-7 overflow-hidden rounded-control bg-sunken">
            {count !== null && (
              <span
                className={clsx("block h-full rounded-control", tone)}
                style={{ width: `${total.planned > 0 ? (count / total.planned) * 100 : 0}%` }}
              />
            )}
          </dd>
          <dd className="flex flex-col items-end text-right text-sm">
            {count === null ? (
              <span className="text-muted">{t("products.unknown")}</span>
            ) : (
              <span>
                <span className="figures font-semibold">{count.toLocaleString(t.language)}</span>{" "}
                <span className="figures inline-block min-w-14 whitespace-nowrap text-muted">
                  {isFirst || total.sent === 0 ? "" : formatShare(count, total.sent, t)}
                </span>
              </span>
            )}
            {aside?.map(
              (line) =>
                line && (
                  <span key={line} className="block max-w-28 text-xs text-muted sm:max-w-none">
                    {line}
                  </span>
                ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
