import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import type { QueueFilter } from "@/lib/moderation/queue/schema";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/** Where the items of a kind come from. */
const sourceHints: Record<DecidedKind, MessageKey> = {
  review: "queue.reviewSourcesHint",
  seller_review: "queue.sellerReviewSourcesHint",
  question: "queue.questionSourcesHint",
  answer: "queue.answerSourcesHint",
  photo: "queue.photoSourcesHint",
};

const emptyTitles: Record<DecidedKind | "all", MessageKey> = {
  review: "queue.noReviews",
  seller_review: "queue.noSellerReviews",
  question: "queue.noQuestions",
  answer: "queue.noAnswers",
  photo: "queue.noPhotos",
  all: "queue.noContent",
};
const emptyHints: Record<DecidedKind | "all", MessageKey> = {
  review: "queue.newReviewsHint",
  seller_review: "queue.newSellerReviewsHint",
  question: "queue.newQuestionsHint",
  answer: "queue.newAnswersHint",
  photo: "queue.newPhotosHint",
  all: "queue.newContentHint",
};

type Props = {
  filter: QueueFilter;
  /** the address of a list */
  href: (filter: QueueFilter) => string;
  /** by kind, what gets the first items, for people who may do that */
  steps: EmptyStateActions | undefined;
};
export type EmptyStateActions = Partial<Record<DecidedKind, ReactNode>>;

/** Shown if a list without filters is empty: why, and what to do next. */
export function EmptyQueue({ filter, href, steps }: Props) {
  const t = useTranslations();
  const kinds = filter.kind ?? "all";
  const other = (status: QueueFilter["status"], text: MessageKey) => (
    <Link href={href({ ...filter, status })} className={buttonClass()}>
      {t(text)}
    </Link>
  );
  return (
    <EmptyState
      icon={<Inbox aria-hidden="true" />}
      title={filter.status === "pending" ? t("common.allCaughtUp") : t(emptyTitles[kinds])}
      action={
        filter.kind === "photo" && filter.status !== "pending" ? (
          <Link href={href({ kind: "review", status: filter.status, photo: "1" })} className={buttonClass()}>
            {t("queue.viewReviewsWithPhotos")}
          </Link>
        ) : filter.status === "all" ? (
          steps?.[filter.kind ?? "review"]
        ) : filter.status === "pending" ? (
          other("accepted", "queue.viewPublished")
        ) : (
          other("all", "queue.viewAll")
        )
      }
    >
      {filter.status === "pending"
        ? filter.kind === "photo"
          ? t("queue.pendingPhotosHint")
          : t(emptyHints[kinds])
        : t(sourceHints[filter.kind ?? "review"])}
    </EmptyState>
  );
}
