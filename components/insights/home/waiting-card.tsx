import { CircleCheck, Inbox } from "lucide-react";
import { useWords } from "#words";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { Waiting } from "@/lib/moderation/queue/schema";
import type { Words } from "@/lib/platform/i18n/rules";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";

/** What waits for a decision, since when, and the way to it. */
export function WaitingCard({ waiting, href, timeZone }: { waiting: Waiting; href: string; timeZone: string }) {
  const t = useWords();
  const yours = waiting.yours ? waiting.count : 0;
  return (
    <section
      aria-label={t("Waiting")}
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
            ? t("Nothing waits for a decision")
            : t(waits[waiting.yours ? "yours" : waiting.queue], {
                n: waiting.count,
                count: `${waiting.count}${waiting.more ? "+" : ""}`,
              })}
        </p>
        <p className="text-sm text-muted">
          {waiting.oldest_at
            ? t.rich("{kinds}. The oldest has waited for {ago}.", {
                kinds: kindsWaiting(waiting, t),
                ago: <Ago at={waiting.oldest_at} timeZone={timeZone} within />,
              })
            : t("Everything that came in is decided.")}
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
          {waiting.yours ? t("Start with the oldest") : t("Look at them")}
        </Link>
      )}
    </section>
  );
}

const waits: Record<"yours" | Waiting["queue"], string> = {
  yours: "{count} item waits for a decision|{count} items wait for a decision",
  operator:
    "{count} item waits for the operator, who moderates here|{count} items wait for the operator, who moderates here",
  client: "{count} item waits for the shop’s own moderators|{count} items wait for the shop’s own moderators",
};

const counts: Record<DecidedKind, string> = {
  review: "{n} review|{n} reviews",
  seller_review: "{n} seller review|{n} seller reviews",
  question: "{n} question|{n} questions",
  answer: "{n} answer|{n} answers",
  photo: "{n} photo|{n} photos",
};

/** `3 reviews, 1 question`. */
const kindsWaiting = ({ kinds }: Waiting, t: Words): string =>
  decidedKinds
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => t(counts[kind], { n: kinds[kind] }))
    .join(", ");
