import { Camera, type LucideIcon, MessageCircleQuestionMark, MessageSquareReply, Star, Store } from "lucide-react";
import { useTranslations } from "#messages";
import type { MessageKey } from "@/lib/platform/i18n/translator";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

export const kindIcons: Record<DecidedKind, LucideIcon> = {
  review: Star,
  seller_review: Store,
  question: MessageCircleQuestionMark,
  answer: MessageSquareReply,
  photo: Camera,
};

const names: Record<DecidedKind, MessageKey> = {
  review: "common.review",
  seller_review: "common.sellerReview",
  question: "common.question",
  answer: "common.answer",
  photo: "queue.photo",
};

export function KindIcon({ kind, className }: { kind: DecidedKind; className?: string }) {
  const t = useTranslations();
  const Icon = kindIcons[kind];
  return <Icon role="img" aria-label={t(names[kind])} className={className} />;
}
