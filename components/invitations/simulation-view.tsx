import clsx from "clsx";
import { useTranslations } from "#messages";
import { DayChart, type DayValues } from "@/components/invitations/day-chart";
import { reasonLabels } from "@/components/invitations/labels";
import { Link } from "@/components/ui/link";
import { percent } from "@/components/ui/percent";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { HeldReason } from "@/lib/invitations/rules";
import { formatDay } from "@/lib/platform/i18n/format";
import type { Translate } from "@/lib/platform/i18n/translator";

type Example = { order_id: string; item_id: string };
/** The result of a simulation. */
export type SimulationSummary = {
  mails: number;
  /** of these, seller-only */
  seller_mails: number;
  /** additional emails if nobody responds */
  reminders: number;
  items: number;
  by_day: { day: string; mails: number; items: number }[];
  held: { reason: HeldReason; items: number; examples: Example[] }[];
  late: { reason: HeldReason; items: number; days: number }[];
  open: number;
};
type Props = {
  simulation: {
    from: string;
    to: string;
    items: number;
    present: SimulationSummary;
    changed: SimulationSummary | null;
  };
  orderHref: (id: string) => string;
};

/** Results for orders under the current settings and, beside them, under changed ones. */
export function SimulationView({ simulation: { from, to, items, present, changed }, orderHref }: Props) {
  const t = useTranslations();
  const shown = changed ?? present;
  return (
    <div className="flex flex-col gap-6">
      <section aria-label={t("invitations.results")} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Tile name={t("navigation.emails")} now={present.mails} then={changed?.mails} />
        <Tile name={t("invitations.itemsInvited")} now={present.items} then={changed?.items} of={items} />
        <Tile
          name={t("invitations.itemsLeftOut")}
          now={sum(present.held)}
          then={changed && sum(changed.held)}
          less
          of={items}
        />
        <Tile name={t("invitations.peakDay")} now={peakDay(present)} then={changed && peakDay(changed)} neutral />
      </section>

      {summaryNotes(shown, t).length > 0 && <p className="text-sm text-muted">{summaryNotes(shown, t).join(" ")}</p>}

      {shown.mails + present.mails > 0 && (
        <section aria-labelledby="when" className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
          <h2 id="when" className="mb-3 font-semibold">
            {t("invitations.sendTimesTitle")}
          </h2>
          <DayChart
            label={t("invitations.emailsPerDay")}
            series={
              changed
                ? [
                    { name: t("invitations.withChanges"), tone: "accent" },
                    { name: t("invitations.current"), tone: "muted" },
                  ]
                : [{ name: t("navigation.emails"), tone: "accent" }]
            }
            days={daysOf(shown, changed && present)}
          />
        </section>
      )}

      {(sum(shown.held) > 0 || sum(present.held) > 0) && (
        <section aria-labelledby="held">
          <h2 id="held" className="mb-2 font-semibold">
            {t("invitations.leftOutTitle")}
          </h2>
          <Reasons
            caption={t("invitations.leftOutReasons")}
            rows={pairRows(shown.held, changed && present.held).map(([reason, now, before, row]) => ({
              reason,
              now,
              before,
              aside: row?.examples.map(({ order_id, item_id }) => (
                <Link key={`${order_id}/${item_id}`} className="link mr-2 inline-block" href={orderHref(order_id)}>
                  {order_id}
                </Link>
              )),
            }))}
            compared={changed !== null}
            aside={t("invitations.sampleOrders")}
          />
        </section>
      )}

      {(shown.late.length > 0 || present.late.length > 0) && (
        <section aria-labelledby="late">
          <h2 id="late" className="mb-2 font-semibold">
            {t("invitations.delayedTitle")}
          </h2>
          <Reasons
            caption={t("invitations.delayReasons")}
            rows={pairRows(shown.late, changed && present.late).map(([reason, now, before, row]) => ({
              reason,
              now,
              before,
              aside: row && averageDelayText(row.days / row.items, t),
            }))}
            compared={changed !== null}
            aside={t("invitations.averageDelay")}
          />
        </section>
      )}
      <p className="text-sm text-muted">
        {t("invitations.simulationNote", { items, from: formatDay(from, t.language), to: formatDay(to, t.language) })}
        {shown.open > 0 && ` ${t("invitations.stillOpen", { n: shown.open })}`}
      </p>
    </div>
  );
}

const averageDelayText = (days: number, t: Translate): string =>
  t("invitations.days", { n: Math.round(days * 10) / 10 });
const sum = (rows: { items: number }[]): number => rows.reduce((total, { items }) => total + items, 0);
const peakDay = ({ by_day }: SimulationSummary): number => Math.max(0, ...by_day.map(({ mails }) => mails));

type TileProps = {
  name: string;
  now: number;
  then: number | null | undefined;
  of?: number;
  /** true: less is better; undefined: neutral */
  less?: boolean;
  neutral?: boolean;
};

function Tile({ name, now, then, of, less = false, neutral = false }: TileProps) {
  const t = useTranslations();
  const value = then ?? now;
  const change = value - now;
  const better = less ? change < 0 : change > 0;
  return (
    <div className="rounded-card border border-line bg-raised p-4 shadow-raised">
      <p className="text-sm text-muted">{name}</p>
      <p className="figures text-2xl font-semibold">{value.toLocaleString(t.language)}</p>
      <p className="figures text-sm text-muted">
        {then === null || then === undefined
          ? of !== undefined && of > 0
            ? t("invitations.shareOfItems", { percent: percent(value / of, t.language) })
            : t("invitations.withCurrentSettings")
          : change === 0
            ? t("invitations.noChange")
            : t.rich("invitations.changeFrom", {
                change: (
                  <span className={clsx("font-medium", !neutral && (better ? "text-good" : "text-bad"))}>
                    {change > 0 ? "+" : "−"}
                    {Math.abs(change).toLocaleString(t.language)}
                  </span>
                ),
                now,
              })}
      </p>
    </div>
  );
}

type ReasonRow = { reason: HeldReason; now: number; before: number; aside: React.ReactNode };

function Reasons(props: { caption: string; rows: ReasonRow[]; compared: boolean; aside: string }) {
  const t = useTranslations();
  return (
    <Table caption={props.caption} stacks>
      <Heads>
        <Head>{t("invitations.reason")}</Head>
        <Head className="text-right">{t("common.items")}</Head>
        {props.compared && <Head className="text-right">{t("invitations.current")}</Head>}
        <Head>{props.aside}</Head>
      </Heads>
      <Rows>
        {props.rows.map(({ reason, now, before, aside }) => (
          <Row key={reason}>
            <Cell className="min-w-40">{t(reasonLabels[reason])}</Cell>
            <Cell label={t("common.items")} className="figures text-right font-medium">
              {now.toLocaleString(t.language)}
            </Cell>
            {props.compared && (
              <Cell label={t("invitations.current")} className="figures text-right text-muted">
                {before.toLocaleString(t.language)}
              </Cell>
            )}
            <Cell label={props.aside} className="text-muted">
              {aside}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}

/** Pairs the rows of two results by reason, in the first one's order. */
function pairRows<R extends { reason: HeldReason; items: number }>(
  rows: R[],
  others: R[] | null,
): [reason: HeldReason, now: number, before: number, row: R | undefined][] {
  const only = (others ?? []).filter(({ reason }) => !rows.some((row) => row.reason === reason));
  const before = (reason: HeldReason) => others?.find((row) => row.reason === reason)?.items ?? 0;
  return [
    ...rows.map((row): [HeldReason, number, number, R | undefined] => [row.reason, row.items, before(row.reason), row]),
    ...only.map((row): [HeldReason, number, number, R | undefined] => [row.reason, 0, row.items, undefined]),
  ];
}

/** Every day from the first email to the last, including days without one. */
function daysOf(shown: SimulationSummary, other: SimulationSummary | null): DayValues[] {
  const of = (outcome: SimulationSummary) => new Map(outcome.by_day.map(({ day, mails }) => [day, mails]));
  const [front, back] = [of(shown), other && of(other)];
  const all = [...front.keys(), ...(back?.keys() ?? [])].sort();
  const days: DayValues[] = [];
  const last = all.at(-1) ?? "";
  for (let day = all[0] ?? last; day <= last && days.length < 1_000; day = nextDay(day))
    days.push({ day, values: [front.get(day) ?? 0, ...(back ? [back.get(day) ?? 0] : [])] });
  return days;
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** What the email counts include and exclude. */
const summaryNotes = ({ seller_mails, reminders }: SimulationSummary, t: Translate): string[] => [
  ...(seller_mails > 0 ? [t("invitations.sellerEmailsNote", { n: seller_mails })] : []),
  ...(reminders > 0 ? [t("invitations.remindersNote", { n: reminders })] : []),
];
