import { CircleCheck, Inbox } from "lucide-react";
import { useTranslations } from "#messages";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { PendingCounts } from "@/lib/moderation/queue/schema";
import { formatCount } from "@/lib/platform/i18n/format";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";

/** The number of pending items, how long they have been waiting, and a link to the queue. */
export function PendingCard({
  pendingCounts,
  href,
  timeZone,
}: {
  pendingCounts: PendingCounts;
  href: string;
  timeZone: string;
}) {
  const t = useTranslations();
  const yours = pendingCounts.yours ? pendingCounts.count : 0;
  return (
    <section
      aria-label={t("common.pending")}
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
          {pendingCounts.count === 0
            ? t("common.allCaughtUp")
            : t(pendingLabels[pendingCounts.yours ? "yours" : pendingCounts.queue], {
                n: pendingCounts.count,
                count: formatCount(pendingCounts.count, t.language, pendingCounts.more),
              })}
        </p>
        <p className="text-sm text-muted">
          {pendingCounts.oldest_at
            ? t.rich("home.oldestPending", {
                kinds: pendingKinds(pendingCounts, t),
                ago: <Ago at={pendingCounts.oldest_at} timeZone={timeZone} within />,
              })
            : t("home.nothingToModerate")}
        </p>
      </div>
      {pendingCounts.count > 0 && (
        <Link
          href={href}
          className={buttonClass({
            variant: pendingCounts.yours ? "primary" : "secondary",
            size: "large",
          })}
        >
          {pendingCounts.yours ? t("home.startModerating") : t("home.viewItems")}
        </Link>
      )}
    </section>
  );
}

const pendingLabels: Record<"yours" | PendingCounts["queue"], MessageKey> = {
  yours: "home.toModerate",
  operator: "home.operatorToModerate",
  client: "home.storeToModerate",
};

const counts: Record<DecidedKind, MessageKey> = {
  review: "common.reviewCount",
  seller_review: "common.sellerReviewCount",
  question: "common.questionCount",
  answer: "home.answerCount",
  photo: "privacy.photos",
};

/** `3 reviews, 1 question`. */
const pendingKinds = ({ kinds }: PendingCounts, t: Translate): string =>
  decidedKinds
    .filter((kind) => kinds[kind] > 0)
    .map((kind) => t(counts[kind], { n: kinds[kind] }))
    .join(", ");
