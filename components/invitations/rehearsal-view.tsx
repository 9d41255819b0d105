import clsx from "clsx";
import { useWords } from "#words";
import { DayBars, type DayValues } from "@/components/invitations/day-bars";
import { reasonWords } from "@/components/invitations/words";
import { Link } from "@/components/ui/link";
import { percent } from "@/components/ui/percent";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { dayWords } from "@/components/ui/time";
import type { HeldReason } from "@/lib/invitations/rules";
import type { Words } from "@/lib/platform/i18n/rules";

type Example = { order_id: string; item_id: string };
/** What would become of the orders under some settings. */
export type Outcome = {
  mails: number;
  /** of them: about the shop alone */
  seller_mails: number;
  /** beside them, if nobody answered */
  reminders: number;
  items: number;
  by_day: { day: string; mails: number; items: number }[];
  held: { reason: HeldReason; items: number; examples: Example[] }[];
  late: { reason: HeldReason; items: number; days: number }[];
  open: number;
};
type Props = {
  rehearsal: { from: string; to: string; items: number; present: Outcome; changed: Outcome | null };
  orderHref: (id: string) => string;
};

/** What would have become of the orders: under the settings as they are, and beside it under changed ones. */
export function RehearsalView({ rehearsal: { from, to, items, present, changed }, orderHref }: Props) {
  const t = useWords();
  const shown = changed ?? present;
  return (
    <div className="flex flex-col gap-6">
      <section aria-label={t("Result")} className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Tile name={t("Mails")} now={present.mails} then={changed?.mails} />
        <Tile name={t("Items asked for")} now={present.items} then={changed?.items} of={items} />
        <Tile
          name={t("Items never asked for")}
          now={sum(present.held)}
          then={changed && sum(changed.held)}
          less
          of={items}
        />
        <Tile name={t("Mails on the fullest day")} now={fullest(present)} then={changed && fullest(changed)} neutral />
      </section>

      {beside(shown, t).length > 0 && <p className="text-sm text-muted">{beside(shown, t).join(" ")}</p>}

      {shown.mails + present.mails > 0 && (
        <section aria-labelledby="when" className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
          <h2 id="when" className="mb-3 font-semibold">
            {t("When the mails would go")}
          </h2>
          <DayBars
            label={t("Mails a day")}
            series={
              changed
                ? [
                    { name: t("With the changes"), tone: "accent" },
                    { name: t("As it is"), tone: "muted" },
                  ]
                : [{ name: t("Mails"), tone: "accent" }]
            }
            days={daysOf(shown, changed && present)}
          />
        </section>
      )}

      {(sum(shown.held) > 0 || sum(present.held) > 0) && (
        <section aria-labelledby="held">
          <h2 id="held" className="mb-2 font-semibold">
            {t("What is never asked for, and why")}
          </h2>
          <Reasons
            caption={t("Items never asked for")}
            rows={paired(shown.held, changed && present.held).map(([reason, now, before, row]) => ({
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
            aside={t("Some of the orders")}
          />
        </section>
      )}

      {(shown.late.length > 0 || present.late.length > 0) && (
        <section aria-labelledby="late">
          <h2 id="late" className="mb-2 font-semibold">
            {t("What is asked for later than its first day")}
          </h2>
          <Reasons
            caption={t("Items asked for late")}
            rows={paired(shown.late, changed && present.late).map(([reason, now, before, row]) => ({
              reason,
              now,
              before,
              aside: row && averageWords(row.days / row.items, t),
            }))}
            compared={changed !== null}
            aside={t("On average by")}
          />
        </section>
      )}
      <p className="text-sm text-muted">
        {t(
          "Played through with {items} ordered items delivered from {from} to {to}, from the first of these days on. The mails that really went in these days are left out; opt-outs, cancelled items and deleted products count as they are today. Reminders are not part of it.",
          { items, from: dayWords(from, t.locale), to: dayWords(to, t.locale) },
        )}
        {shown.open > 0 &&
          ` ${t("{n} item is still open at the end.|{n} items are still open at the end.", { n: shown.open })}`}
      </p>
    </div>
  );
}

const averageWords = (days: number, t: Words): string => t("{n} day|{n} days", { n: Math.round(days * 10) / 10 });
const sum = (rows: { items: number }[]): number => rows.reduce((total, { items }) => total + items, 0);
const fullest = ({ by_day }: Outcome): number => Math.max(0, ...by_day.map(({ mails }) => mails));

type TileProps = {
  name: string;
  now: number;
  then: number | null | undefined;
  of?: number;
  /** fewer is better, or neither is */
  less?: boolean;
  neutral?: boolean;
};

function Tile({ name, now, then, of, less = false, neutral = false }: TileProps) {
  const t = useWords();
  const value = then ?? now;
  const change = value - now;
  const better = less ? change < 0 : change > 0;
  return (
    <div className="rounded-card border border-line bg-raised p-4 shadow-raised">
      <p className="text-sm text-muted">{name}</p>
      <p className="figures text-2xl font-semibold">{value.toLocaleString(t.locale)}</p>
      <p className="figures text-sm text-muted">
        {then === null || then === undefined
          ? of !== undefined && of > 0
            ? t("{percent} of all items", { percent: percent(value / of, t.locale) })
            : t("with the settings as they are")
          : change === 0
            ? t("as it is now")
            : t.rich("{change} from {now}", {
                change: (
                  <span className={clsx("font-medium", !neutral && (better ? "text-good" : "text-bad"))}>
                    {change > 0 ? "+" : "−"}
                    {Math.abs(change).toLocaleString(t.locale)}
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
  const t = useWords();
  return (
    <Table caption={props.caption} stacks>
      <Heads>
        <Head>{t("Because")}</Head>
        <Head className="text-right">{t("Items")}</Head>
        {props.compared && <Head className="text-right">{t("As it is")}</Head>}
        <Head>{props.aside}</Head>
      </Heads>
      <Rows>
        {props.rows.map(({ reason, now, before, aside }) => (
          <Row key={reason}>
            <Cell className="min-w-40">{t(reasonWords[reason])}</Cell>
            <Cell label={t("Items")} className="figures text-right font-medium">
              {now.toLocaleString(t.locale)}
            </Cell>
            {props.compared && (
              <Cell label={t("As it is")} className="figures text-right text-muted">
                {before.toLocaleString(t.locale)}
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

/** Rows by reason of two outcomes side by side, those of the first in their order. */
function paired<R extends { reason: HeldReason; items: number }>(
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

/** Every day from the first mail to the last, those without one too. */
function daysOf(shown: Outcome, other: Outcome | null): DayValues[] {
  const of = (outcome: Outcome) => new Map(outcome.by_day.map(({ day, mails }) => [day, mails]));
  const [front, back] = [of(shown), other && of(other)];
  const all = [...front.keys(), ...(back?.keys() ?? [])].sort();
  const days: DayValues[] = [];
  const last = all.at(-1) ?? "";
  for (let day = all[0] ?? last; day <= last && days.length < 1_000; day = nextDay(day))
    days.push({ day, values: [front.get(day) ?? 0, ...(back ? [back.get(day) ?? 0] : [])] });
  return days;
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** What the numbers of mails hold, and what they do not. */
const beside = ({ seller_mails, reminders }: Outcome, t: Words): string[] => [
  ...(seller_mails > 0 ? [t("Mails about the shop alone are among them: {n}.", { n: seller_mails })] : []),
  ...(reminders > 0 ? [t("Reminders come on top: {n} if nobody answered.", { n: reminders })] : []),
];
