import clsx from "clsx";
import Link from "next/link";
import { DayBars, type DayValues } from "@/components/invitations/day-bars";
import { reasonWords } from "@/components/invitations/words";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { dayWords } from "@/components/ui/time";
import type { HeldReason } from "@/lib/invitations/rules";

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
  const shown = changed ?? present;
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="Result" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Tile name="Mails" now={present.mails} then={changed?.mails} />
        <Tile name="Items asked for" now={present.items} then={changed?.items} of={items} />
        <Tile
          name="Items never asked for"
          now={sum(present.held)}
          then={changed && sum(changed.held)}
          less
          of={items}
        />
        <Tile name="Mails on the fullest day" now={fullest(present)} then={changed && fullest(changed)} neutral />
      </section>

      {beside(shown).length > 0 && <p className="text-sm text-muted">{beside(shown).join(" ")}</p>}

      {shown.mails + present.mails > 0 && (
        <section aria-labelledby="when" className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
          <h2 id="when" className="mb-3 font-semibold">
            When the mails would go
          </h2>
          <DayBars
            label="Mails a day"
            series={
              changed
                ? [
                    { name: "With the changes", tone: "accent" },
                    { name: "As it is", tone: "muted" },
                  ]
                : [{ name: "Mails", tone: "accent" }]
            }
            days={daysOf(shown, changed && present)}
          />
        </section>
      )}

      {(sum(shown.held) > 0 || sum(present.held) > 0) && (
        <section aria-labelledby="held">
          <h2 id="held" className="mb-2 font-semibold">
            What is never asked for, and why
          </h2>
          <Reasons
            caption="Items never asked for"
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
            aside="Some of the orders"
          />
        </section>
      )}

      {(shown.late.length > 0 || present.late.length > 0) && (
        <section aria-labelledby="late">
          <h2 id="late" className="mb-2 font-semibold">
            What is asked for later than its first day
          </h2>
          <Reasons
            caption="Items asked for late"
            rows={paired(shown.late, changed && present.late).map(([reason, now, before, row]) => ({
              reason,
              now,
              before,
              aside: row && averageWords(row.days / row.items),
            }))}
            compared={changed !== null}
            aside="On average by"
          />
        </section>
      )}
      <p className="text-sm text-muted">
        Played through with {items.toLocaleString("en-GB")} ordered items delivered from {dayWords(from)} to{" "}
        {dayWords(to)}, from the first of these days on. The mails that really went in these days are left out;
        opt-outs, cancelled items and deleted products count as they are today. Reminders are not part of it.
        {shown.open > 0 && ` ${shown.open.toLocaleString("en-GB")} items are still open at the end.`}
      </p>
    </div>
  );
}

const averageWords = (days: number): string =>
  days === 1 ? "1 day" : `${days.toLocaleString("en-GB", { maximumFractionDigits: 1 })} days`;
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
  const value = then ?? now;
  const change = value - now;
  const better = less ? change < 0 : change > 0;
  return (
    <div className="rounded-card border border-line bg-raised p-4 shadow-raised">
      <p className="text-sm text-muted">{name}</p>
      <p className="figures text-2xl font-semibold">{value.toLocaleString("en-GB")}</p>
      <p className="figures text-sm text-muted">
        {then === null || then === undefined ? (
          of !== undefined && of > 0 ? (
            `${Math.round((value / of) * 100)} % of all items`
          ) : (
            "with the settings as they are"
          )
        ) : change === 0 ? (
          "as it is now"
        ) : (
          <>
            <span className={clsx("font-medium", !neutral && (better ? "text-good" : "text-bad"))}>
              {change > 0 ? "+" : "−"}
              {Math.abs(change).toLocaleString("en-GB")}
            </span>{" "}
            from {now.toLocaleString("en-GB")}
          </>
        )}
      </p>
    </div>
  );
}

type ReasonRow = { reason: HeldReason; now: number; before: number; aside: React.ReactNode };

function Reasons(props: { caption: string; rows: ReasonRow[]; compared: boolean; aside: string }) {
  return (
    <Table caption={props.caption}>
      <thead>
        <tr>
          <Head>Because</Head>
          <Head className="text-right">Items</Head>
          {props.compared && <Head className="text-right">As it is</Head>}
          <Head className="max-sm:hidden">{props.aside}</Head>
        </tr>
      </thead>
      <tbody>
        {props.rows.map(({ reason, now, before, aside }) => (
          <Row key={reason}>
            <Cell className="min-w-40">{reasonWords[reason]}</Cell>
            <Cell className="figures text-right font-medium">{now.toLocaleString("en-GB")}</Cell>
            {props.compared && <Cell className="figures text-right text-muted">{before.toLocaleString("en-GB")}</Cell>}
            <Cell className="text-muted max-sm:hidden">{aside}</Cell>
          </Row>
        ))}
      </tbody>
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
const beside = ({ seller_mails, reminders }: Outcome): string[] => [
  ...(seller_mails > 0 ? [`Mails about the shop alone are among them: ${seller_mails.toLocaleString("en-GB")}.`] : []),
  ...(reminders > 0 ? [`Reminders come on top: ${reminders.toLocaleString("en-GB")} if nobody answered.`] : []),
];
