import { Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import type { QueueFilter } from "@/lib/moderation/queue/schema";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

/** Where the items of a kind come from. */
const origins: Record<DecidedKind, string> = {
  review: "Reviews come from invitations, your website and the API.",
  seller_review: "Customers may rate the shop itself on the form that an invitation leads to.",
  question: "Questions come from your product pages, where the shop collects them.",
  answer: "Answers are written below their questions.",
  photo:
    "Photos are moderated together with their review or question. This list has only photos that a rule published.",
};

const noneYet: Record<DecidedKind | "all", string> = {
  review: "No reviews here yet",
  seller_review: "No seller reviews here yet",
  question: "No questions here yet",
  answer: "No answers here yet",
  photo: "No photos moderated separately",
  all: "No reviews and questions here yet",
};
const newOnes: Record<DecidedKind | "all", string> = {
  review: "New reviews show up here as they come in, the oldest first.",
  seller_review: "New seller reviews show up here as they come in, the oldest first.",
  question: "New questions show up here as they come in, the oldest first.",
  answer: "New answers show up here as they come in, the oldest first.",
  photo: "New photos show up here as they come in, the oldest first.",
  all: "New reviews and questions show up here as they come in, the oldest first.",
};

type Props = {
  filter: QueueFilter;
  /** the address of a list */
  href: (filter: QueueFilter) => string;
  /** by kind, what brings the first of it, for those who may do it */
  steps: Steps | undefined;
};
export type Steps = Partial<Record<DecidedKind, ReactNode>>;

/** What stands in place of a list that shows nothing though nothing narrows it: why, what comes, and what to do next. */
export function NothingHere({ filter, href, steps }: Props) {
  const t = useWords();
  const kinds = filter.kind ?? "all";
  const other = (status: QueueFilter["status"], text: string) => (
    <Link href={href({ ...filter, status })} className={buttonClass()}>
      {t(text)}
    </Link>
  );
  return (
    <EmptyState
      icon={<Inbox aria-hidden="true" />}
      title={filter.status === "pending" ? t("Nothing waits for a decision") : t(noneYet[kinds])}
      action={
        filter.kind === "photo" && filter.status !== "pending" ? (
          <Link href={href({ kind: "review", status: filter.status, photo: "1" })} className={buttonClass()}>
            {t("Show reviews with photos")}
          </Link>
        ) : filter.status === "all" ? (
          steps?.[filter.kind ?? "review"]
        ) : filter.status === "pending" ? (
          other("accepted", "Show what was accepted")
        ) : (
          other("all", "Show all, whatever was decided")
        )
      }
    >
      {filter.status === "pending"
        ? filter.kind === "photo"
          ? t(
              "Photos are seen with the words they came with. Where a rule publishes those, the photos wait here, the oldest first.",
            )
          : t(newOnes[kinds])
        : t(origins[filter.kind ?? "review"])}
    </EmptyState>
  );
}
