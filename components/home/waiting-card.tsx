import { CircleCheck, Inbox } from "lucide-react";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { Ago } from "@/components/ui/time";
import { type DecidedKind, decidedKinds } from "@/lib/moderation/schema";
import type { Waiting } from "@/lib/queue/schema";

/** What waits for a decision, since when, and the way to it. */
export function WaitingCard({ waiting, href, timeZone }: { waiting: Waiting; href: string; timeZone: string }) {
  const yours = waiting.yours ? waiting.count : 0;
  return (
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
          href={href}
          className={buttonClass({
            look: waiting.yours ? "primary" : "secondary",
            size: "large",
          })}
        >
          {waiting.yours ? "Start with the oldest" : "Look at them"}
        </Link>
      )}
    </section>
  );
}

const decider = ({ yours, queue }: Waiting): string =>
  yours ? "a decision" : queue === "operator" ? "the operator, who moderates here" : "the shop's own moderators";

const named: Record<DecidedKind, [one: string, many: string]> = {
  review: ["review", "reviews"],
  seller_review: ["seller review", "seller reviews"],
  question: ["question", "questions"],
  answer: ["answer", "answers"],
  photo: ["photo", "photos"],
};

/** `3 reviews, 1 question`. */
const kindsWaiting = ({ kinds }: Waiting): string =>
  decidedKinds
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => `${kinds[kind]} ${named[kind][kinds[kind] === 1 ? 0 : 1]}`)
    .join(", ");
