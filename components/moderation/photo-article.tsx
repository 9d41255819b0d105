import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { ItemStars } from "@/components/moderation/item-stars";
import { ItemState } from "@/components/moderation/item-state";
import { excerptOf, itemPath, productOf } from "@/components/moderation/labels";
import { withStore } from "@/components/portal/with-store";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { Link } from "@/components/ui/link";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { formatDay } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { TextKind } from "@/lib/reviews/decisions/schema";

const viewLabels: Record<TextKind, MessageKey> = {
  review: "queue.viewReview",
  seller_review: "queue.viewSellerReview",
  question: "queue.viewQuestion",
  answer: "queue.viewAnswer",
};

/** What a photo shows, by what it was submitted with. */
export const photoAltTexts: Record<TextKind, MessageKey> = {
  review: "queue.photoWithReview",
  seller_review: "queue.photoWithSellerReview",
  question: "queue.photoWithQuestion",
  answer: "queue.photoWithAnswer",
};

type Props = {
  item: QueueItem;
  clientId: string;
  timeZone: string;
  /** shown beside its status: who takes care of it */
  assignment?: ReactNode;
  heading?: "h1" | "h2";
};

/** A photo on its own: as large as possible, with the text that it was submitted with below. */
export function PhotoArticle({ item, clientId, timeZone, assignment, heading: Heading = "h2" }: Props) {
  const t = useTranslations();
  const [image] = item.images;
  const of = item.came_with?.kind ?? "review";
  const subject = of === "seller_review" ? t("queue.theStore") : productOf({ ...item, kind: of }, t);
  return (
    <article aria-labelledby={`item-${item.id}`}>
      <ItemState item={item} timeZone={timeZone} assignment={assignment} />
      <Heading id={`item-${item.id}`} className="mt-4 text-xl font-semibold break-words">
        {t("queue.photoOf", { subject })}
      </Heading>
      {image && (
        <ImageWithFallback
          src={image.large}
          alt={t(photoAltTexts[of], { author: item.author ?? t("queue.anonymousAuthor"), subject })}
          width={image.large_width}
          height={image.large_height}
          className="mt-4 max-h-[60dvh] w-auto rounded-control border border-line bg-sunken object-contain"
        />
      )}
      <p className="mt-5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
        <ItemStars item={item} />
        <span className="font-medium text-ink">{item.author ?? t("common.anonymous")}</span>
        <span>{formatDay(item.date, t.language)}</span>
        <Link className="link" href={withStore(itemPath(item), clientId)}>
          {t(viewLabels[of])}
        </Link>
      </p>
      <blockquote
        className="mt-2 max-w-[65ch] border-l-2 border-line pl-4 break-words whitespace-pre-line text-muted"
        lang={item.lang ?? undefined}
      >
        {excerptOf(item, t)}
      </blockquote>
      {item.accepted === null && <p className="mt-4 text-sm text-muted">{t("queue.photoNotModeratedHint")}</p>}
    </article>
  );
}
