import { Download, Send } from "lucide-react";
import { address, param, requireMember, type Search } from "@/app/_guard";
import { DayBars } from "@/components/invitations/day-bars";
import { FunnelPeriod } from "@/components/invitations/funnel-period";
import { FunnelProducts } from "@/components/invitations/funnel-products";
import { FunnelStages } from "@/components/invitations/funnel-stages";
import { PageHead } from "@/components/portal/page-head";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { dayWords } from "@/components/ui/time";
import { titled, words } from "@/lib/accounts/sign-in/language-of-request";
import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { type Funnel, funnelCsv, getFunnel } from "@/lib/invitations/get-funnel";
import { FunnelQuery } from "@/lib/invitations/schema";
import { dayIn } from "@/lib/platform/clock";
import type { Words } from "@/lib/platform/i18n/rules";

export const generateMetadata = () => titled("Invitations");

const path = "/portal/invitations";
const periods = [7, 30, 90, 365];

export default async function InvitationsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const [search, t] = [await searchParams, await words()];
  const { client, clientId } = await requireMember({ here: path, search });
  const asked = FunnelQuery.parse({
    from: param(search, "from") || undefined,
    to: param(search, "to") || undefined,
    product: param(search, "product")?.trim() || undefined,
  });
  const funnel = await getFunnel(client, asked);
  const { from, to, product, total } = funnel;
  const today = dayIn(timeZoneOf(client));
  const link = (query: Record<string, string | undefined>) =>
    address(path, { client_id: clientId, product: product ?? undefined, ...query });
  const rehearse = address("/portal/settings/invitations", { client_id: clientId });
  const card = "rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5";
  return (
    <div className="mx-auto max-w-6xl px-4 py-6 lg:px-8">
      <PageHead
        title={product === null ? t("Invitations") : t("Invitations for {product}", { product })}
        tools={
          <Link href={rehearse} className={buttonClass()}>
            {t("Rehearse other settings")}
          </Link>
        }
      >
        {t("What came of the mails that asked for reviews from {from} to {to}.", {
          from: dayWords(from, t.locale),
          to: dayWords(to, t.locale),
        })}
      </PageHead>
      <div className="flex flex-col gap-6">
        <FunnelPeriod
          clientId={clientId}
          from={from}
          to={to}
          product={product}
          presets={periods.map((days) => ({
            name: days === 365 ? t("A year") : t("{n} day|{n} days", { n: days }),
            href: link({ from: addDays(today, 1 - days), to: today }),
            current: to === today && from === addDays(today, 1 - days),
          }))}
        />
        {total.planned > 0 ? (
          <>
            <section aria-labelledby="stages" className={card}>
              <h2 id="stages" className="mb-4 font-semibold">
                {t("From planned to reviewed")}
              </h2>
              <FunnelStages total={total} />
              <p className="mt-4 text-sm text-muted">
                {[
                  t("Shares are of the mails sent."),
                  total.opened !== null && t("Openings by machines are left out."),
                  (total.delivered === null || total.opened === null) &&
                    t("What is not known was never told: mails kept here or sent by SMTP tell nothing of their way."),
                ]
                  .filter(Boolean)
                  .join(" ")}
              </p>
            </section>
            <section aria-labelledby="days" className={card}>
              <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
                <h2 id="days" className="font-semibold">
                  {t("Day by day")}
                </h2>
                <Csv t={t} funnel={funnel} by="day" name={`invitations ${from} ${to}.csv`} />
              </div>
              <DayBars
                label={t("Mails sent, and those that led to a review")}
                series={[
                  { name: t("Reviewed"), tone: "good" },
                  { name: t("Sent§mails"), tone: "muted" },
                ]}
                days={everyDay(funnel)}
              />
            </section>
            {product === null ? (
              <section aria-labelledby="products">
                <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
                  <h2 id="products" className="font-semibold">
                    {t("Products")}
                  </h2>
                  <Csv t={t} funnel={funnel} by="product" name={`invitations by product ${from} ${to}.csv`} />
                </div>
                <FunnelProducts
                  products={funnel.products}
                  href={(id) => link({ from: asked.from, to: asked.to, product: id })}
                />
              </section>
            ) : (
              <p className="text-sm">
                <Link className="link" href={link({ from: asked.from, to: asked.to, product: undefined })}>
                  {t("All products")}
                </Link>
              </p>
            )}
          </>
        ) : (
          <EmptyState
            icon={<Send aria-hidden="true" />}
            title={t("No mail in these days")}
            action={
              <Link href={rehearse} className={buttonClass()}>
                {t("See what would be sent")}
              </Link>
            }
          >
            {product === null
              ? t(
                  "Customers are asked {n} day after delivery. Each order's page says when.|Customers are asked {n} days after delivery. Each order's page says when.",
                  { n: client.send_emails_after_days },
                )
              : t("No mail asked for {product} in these days.", { product })}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

/** The file is in the address itself, so that it needs neither a request nor JavaScript. */
function Csv({ t, funnel, by, name }: { t: Words; funnel: Funnel; by: "day" | "product"; name: string }) {
  return (
    <a
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(funnelCsv(funnel, by))}`}
      download={name}
      className={buttonClass({ size: "small" })}
      aria-label={by === "day" ? t("CSV, day by day") : t("CSV, by product")}
    >
      <Download aria-hidden="true" className="size-3.5" />
      CSV
    </a>
  );
}

/** Every day of the period, those without a mail too. */
function everyDay({ from, to, days }: Funnel) {
  const byDay = new Map(days.map((row) => [row.day, row]));
  const all: { day: string; values: number[] }[] = [];
  for (let day = from; day <= to; day = addDays(day, 1))
    all.push({ day, values: [byDay.get(day)?.reviewed ?? 0, byDay.get(day)?.sent ?? 0] });
  return all;
}
