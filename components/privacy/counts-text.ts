import { formatList } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** What is counted, in this order. Unlisted names are shown as they are. */
const names: Record<string, MessageKey> = {
  customers: "privacy.customers",
  orders: "privacy.orders",
  reviews: "common.reviewCount",
  seller_reviews: "common.sellerReviewCount",
  questions: "common.questionCount",
  notes: "privacy.notes",
  images: "privacy.photos",
  invitations: "privacy.invitations",
  mails: "privacy.emails",
  copies: "privacy.copies",
};

/** `3 orders, 1 review and 12 copies elsewhere`, in the order above; empty if there is nothing to count. */
export function countsText(counts: Record<string, number>, t: Translate): string {
  const known = Object.keys(names).filter((what) => (counts[what] ?? 0) > 0);
  const others = Object.keys(counts).filter((what) => !(what in names) && (counts[what] ?? 0) > 0);
  const parts = [
    ...known.map((what) => textFor(names, what, t, { n: counts[what] ?? 0 }) ?? what),
    ...others.map((what) => t("privacy.otherCount", { n: counts[what] ?? 0, what })),
  ];
  return formatList(parts, t.language);
}
