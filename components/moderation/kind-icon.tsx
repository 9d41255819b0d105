import { Camera, type LucideIcon, MessageCircleQuestionMark, MessageSquareReply, Star, Store } from "lucide-react";
import { useWords } from "#words";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";

export const kindIcons: Record<DecidedKind, LucideIcon> = {
  review: Star,
  seller_review: Store,
  question: MessageCircleQuestionMark,
  answer: MessageSquareReply,
  photo: Camera,
};

const names: Record<DecidedKind, string> = {
  review: "Review",
  seller_review: "Seller review",
  question: "Question",
  answer: "Answer",
  photo: "Photo",
};

export function KindIcon({ kind, className }: { kind: DecidedKind; className?: string }) {
  const t = useWords();
  const Icon = kindIcons[kind];
  return <Icon role="img" aria-label={t(names[kind])} className={className} />;
}
