import { Download, Send } from "lucide-react";
import { param, pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { DayChart } from "@/components/invitations/day-chart";
import { FunnelPeriod } from "@/components/invitations/funnel-period";
import { FunnelProducts } from "@/components/invitations/funnel-products";
import { FunnelStages } from "@/components/invitations/funnel-stages";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { type Funnel, funnelCsv, getFunnel } from "@/lib/invitations/get-funnel";
import { FunnelQuery } from "@/lib/invitations/schema";
import { dayIn } from "@/lib/platform/clock";
import { formatDay } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

export const generateMetadata = () => titleMetadata("navigation.invitations");

const path = "/portal/invitations";
const periods = [7, 30, 90, 365];

export default async function InvitationsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [search, t] = [await searchParams, await translations()];
  const { client, clientId } = await requireMember({ path: path, search });
  const parsedQuery = FunnelQuery.parse({
    from: param(search, "from") || undefined,
    to: param(search, "to") || undefined,
    product: param(search, "product")?.trim() || undefined,
  });
  const funnel = await getFunnel(client, parsedQuery);
  const { from, to, product, total } = funnel;
  const today = dayIn(timeZoneOf(client));
  const link = (query: Record<string, string | undefined>) =>
    pathWithQuery(path, { client_id: clientId, product: product ?? undefined, ...query });
  const simulateHref = pathWithQuery("/portal/settings/invitations", { client_id: clientId });
  const card = "rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5";
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={product === null ? t("navigation.invitations") : t("invitations.titleForProduct", { product })}
        tools={
          <Link href={simulateHref} className={buttonClass()}>
            {t("invitations.simulateSettings")}
          </Link>
        }
      >
        {t("invitations.intro", {
          from: formatDay(from, t.language),
          to: formatDay(to, t.language),
        })}
      </PageHead>
      <div className="flex flex-col gap-6">
        <FunnelPeriod
          clientId={clientId}
          from={from}
          to={to}
          product={product}
          presets={periods.map((days) => ({
            name: days === 365 ? t("analytics.last12Months") : t("library.lastDays", { n: days }),
            href: link({ from: addDays(today, 1 - days), to: today }),
            current: to === today && from === addDays(today, 1 - days),
          }))}
        />
        {total.planned > 0 ? (
          <>
            <section aria-labelledby="stages" className={card}>
              <h2 id="stages" className="mb-4 font-semibold">
                {t("invitations.funnelTitle")}
              </h2>
              <FunnelStages total={total} />
              <p className="mt-4 text-sm text-muted">
                {[
                  t("invitations.percentagesHint"),
                  total.opened !== null && t("invitations.automatedOpensHint"),
                  (total.delivered === null || total.opened === null) && t("invitations.unknownHint"),
                ]
                  .filter(Boolean)
                  .join(" ")}
              </p>
            </section>
            <section aria-labelledby="days" className={card}>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
                <h2 id="days" className="font-semibold">
                  {t("invitations.byDay")}
                </h2>
                <Csv t={t} funnel={funnel} by="day" name={`invitations ${from} ${to}.csv`} />
              </div>
              <DayChart
                label={t("invitations.chartLabel")}
                series={[
                  { name: t("invitations.reviewed"), tone: "good" },
                  { name: t("invitations.sent"), tone: "muted" },
                ]}
                days={fillMissingDays(funnel)}
              />
            </section>
            {product === null ? (
              <section aria-labelledby="products">
                <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
                  <h2 id="products" className="font-semibold">
                    {t("navigation.products")}
                  </h2>
                  <Csv t={t} funnel={funnel} by="product" name={`invitations by product ${from} ${to}.csv`} />
                </div>
                <FunnelProducts
                  products={funnel.products}
                  href={(id) => link({ from: parsedQuery.from, to: parsedQuery.to, product: id })}
                />
              </section>
            ) : (
              <p className="text-sm">
                <Link className="link" href={link({ from: parsedQuery.from, to: parsedQuery.to, product: undefined })}>
                  {t("products.allProducts")}
                </Link>
              </p>
            )}
          </>
        ) : (
          <EmptyState
            icon={<Send aria-hidden="true" />}
            title={t("invitations.emptyTitle")}
            action={
              <Link href={pathWithQuery("/portal/orders", { client_id: clientId })} className={buttonClass()}>
                {t("analytics.viewOrders")}
              </Link>
            }
          >
            {product === null
              ? t("invitations.emptyText", { n: client.send_emails_after_days })
              : t("invitations.emptyTextProduct", { product })}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** A data: link, so that the download needs neither a request nor JavaScript. */
function Csv({ t, funnel, by, name }: { t: Translate; funnel: Funnel; by: "day" | "product"; name: string }) {
  return (
    <a
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(funnelCsv(funnel, by))}`}
      download={name}
      className={buttonClass({ size: "small" })}
      aria-label={by === "day" ? t("invitations.csvByDay") : t("invitations.csvByProduct")}
    >
      <Download aria-hidden="true" className="size-3.5" />
      {t("common.exportCsv")}
    </a>
  );
}

/** Every day of the period, including those without an email. */
function fillMissingDays({ from, to, days }: Funnel) {
  const byDay = new Map(days.map((row) => [row.day, row]));
  const all: { day: string; values: number[] }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    all.push({ day, values: [byDay.get(day)?.reviewed ?? 0, byDay.get(day)?.sent ?? 0] });
  return all;
}
