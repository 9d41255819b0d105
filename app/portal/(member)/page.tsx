import { CircleCheck, Flag, Inbox, MessageCircleQuestionMark } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { address, requireMember, requirePerson, type Search, severalClients, usualClient } from "@/app/_guard";
import { ItemLine } from "@/components/reviews/item-line";
import { itemPath } from "@/components/reviews/words";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Ago } from "@/components/ui/time";
import { timeZoneOf } from "@/lib/clients/get-client";
import { env } from "@/lib/env";
import { type DecidedKind, decidedKinds } from "@/lib/moderation/schema";
import { countWaiting } from "@/lib/queue/count-waiting";
import { listQueue } from "@/lib/queue/list-queue";
import { listWork } from "@/lib/queue/list-work";
import type { Waiting } from "@/lib/queue/schema";

export const metadata: Metadata = { title: "Home" };

/** How many other clients with work that waits home shows. */
const OTHERS = 12;

export default async function HomePage({ searchParams }: { searchParams: Promise<Search> }) {
  const page = { here: "/portal", search: await searchParams };
  const person = await requirePerson(page);
  if ((await usualClient(person)) === null) return <NoClient />;
  const { actor, client, clientId } = await requireMember(page);
  const [waiting, latest, work] = await Promise.all([
    countWaiting(actor, client),
    listQueue(actor, client, { status: "all" }, new URL(env().PUBLIC_URL)),
    severalClients(actor) ? listWork(actor, OTHERS + 1) : [],
  ]);
  const timeZone = timeZoneOf(client);
  const busy = work.filter(({ id }) => id !== client.id).slice(0, OTHERS);
  const yours = waiting.yours ? waiting.count : 0;
  const newest = latest.data.slice(0, 6);
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-8 px-4 py-6 lg:px-8 lg:py-8">
      <header>
        <h1 className="text-2xl font-semibold">{client.display_name}</h1>
        <p className="text-muted">What waits for you</p>
      </header>

      <section
        aria-label="Waiting"
        className="flex flex-wrap items-center gap-x-6 gap-y-4 rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6"
      >
        <span
          className={
            yours > 0
              ? "flex size-12 shrink-0 items-center justify-center rounded-full bg-warn-soft text-warn"
              : "flex size-12 shrink-0 items-center justify-center rounded-full bg-good-soft text-good"
          }
        >
          {yours > 0 ? <Inbox aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
        </span>
        <div className="min-w-48 flex-1">
          <p className="figures text-lg font-semibold">
            {waiting.count === 0
              ? "Nothing waits for a decision"
              : `${waiting.count}${waiting.more ? "+" : ""} ${waiting.count === 1 ? "item waits" : "items wait"} for ${decider(waiting)}`}
          </p>
          <p className="text-sm text-muted">
            {waiting.oldest_at ? (
              <>
                {kindsWaiting(waiting)}. The oldest waits for <Ago at={waiting.oldest_at} timeZone={timeZone} />.
              </>
            ) : (
              "Everything that came in is decided."
            )}
          </p>
        </div>
        {waiting.count > 0 && (
          <Link
            href={address("/portal/queue", { client_id: clientId })}
            className={buttonClass({ look: waiting.yours ? "primary" : "secondary", size: "large" })}
          >
            {waiting.yours ? "Start with the oldest" : "Look at them"}
          </Link>
        )}
      </section>

      {(waiting.reported > 0 || waiting.unanswered > 0) && (
        <ul className="-mt-4 flex flex-col gap-2 sm:flex-row sm:*:flex-1">
          {waiting.unanswered > 0 && (
            <Task
              icon={<MessageCircleQuestionMark aria-hidden="true" className="size-5 text-muted" />}
              href={address("/portal/questions", { client_id: clientId, status: "accepted", unreplied: "1" })}
              count={waiting.unanswered}
              words={["published question has no answer", "published questions have no answer"]}
            />
          )}
          {waiting.reported > 0 && (
            <Task
              icon={<Flag aria-hidden="true" className="size-5 text-bad" />}
              href={address("/portal/reviews", { client_id: clientId, status: "accepted", reported: "1" })}
              count={waiting.reported}
              words={["published review is reported", "published reviews are reported"]}
            />
          )}
        </ul>
      )}

      {busy.length > 0 && (
        <section aria-labelledby="elsewhere">
          <h2 id="elsewhere" className="mb-2 font-semibold">
            In your queue at other clients
          </h2>
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {busy.map((other) => (
              <li key={other.id} className="border-b border-line last:border-b-0">
                <Link
                  href={address("/portal/queue", { client_id: other.id })}
                  className="flex items-center gap-3 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken/60"
                >
                  <span className="min-w-0 flex-1 truncate font-medium">{other.display_name}</span>
                  <span className="figures">
                    {other.count}
                    {other.more && "+"} waiting
                  </span>
                  <Ago at={other.oldest_at} timeZone={timeZone} className="w-16 text-right text-muted" />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}

      <section aria-labelledby="latest">
        <div className="mb-2 flex items-baseline justify-between gap-4">
          <h2 id="latest" className="font-semibold">
            Latest
          </h2>
          {newest.length > 0 && (
            <Link className="link text-sm" href={address("/portal/queue", { client_id: clientId, status: "all" })}>
              All that came in
            </Link>
          )}
        </div>
        {newest.length > 0 ? (
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {newest.map((item) => (
              <ItemLine
                key={`${item.kind} ${item.id}`}
                item={item}
                href={address(itemPath(item), { client_id: clientId })}
                timeZone={timeZone}
              />
            ))}
          </ul>
        ) : (
          <div className="rounded-card border border-dashed border-line">
            <EmptyState title="No reviews yet">
              Send orders to the API and Candor invites their customers; what they write shows up here.
            </EmptyState>
          </div>
        )}
      </section>
    </div>
  );
}

const decider = ({ yours, queue }: Waiting): string =>
  yours ? "a decision" : queue === "operator" ? "the operator, who moderates here" : "the shop's own moderators";

const named: Record<DecidedKind, [one: string, many: string]> = {
  review: ["review", "reviews"],
  seller_review: ["seller review", "seller reviews"],
  question: ["question", "questions"],
  answer: ["answer", "answers"],
};

/** `3 reviews, 1 question`. */
const kindsWaiting = ({ kinds }: Waiting): string =>
  decidedKinds
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => `${kinds[kind]} ${named[kind][kinds[kind] === 1 ? 0 : 1]}`)
    .join(", ");

type TaskProps = { icon: ReactNode; href: string; count: number; words: [one: string, many: string] };

/** Something that wants doing, as a link to exactly those rows. */
function Task({ icon, href, count, words: [one, many] }: TaskProps) {
  return (
    <li>
      <Link
        href={href}
        className="flex items-center gap-3 rounded-card border border-line bg-raised px-5 py-3.5 text-sm shadow-raised hover:bg-sunken/60"
      >
        {icon}
        <span>
          <span className="figures font-semibold">{count}</span> {count === 1 ? one : many}
        </span>
      </Link>
    </li>
  );
}

function NoClient() {
  return (
    <EmptyState heading="h1" title="No client yet">
      A client is one shop or site. The operator makes one on the server:{" "}
      <code className="font-mono text-sm text-ink">npm run -s admin -- client create --id shop.example</code>
    </EmptyState>
  );
}
