import { english, type Words } from "@/lib/platform/i18n/rules";

/** What is counted, in this order. What is not listed is told by its own name. */
const names: Record<string, string> = {
  customers: "{n} customer|{n} customers",
  orders: "{n} order|{n} orders",
  reviews: "{n} review|{n} reviews",
  seller_reviews: "{n} seller review|{n} seller reviews",
  questions: "{n} question|{n} questions",
  images: "{n} photo|{n} photos",
  invitations: "{n} invitation|{n} invitations",
  mails: "{n} mail|{n} mails",
  copies: "{n} copy elsewhere|{n} copies elsewhere",
};

/** `3 orders, 1 review and 12 copies elsewhere`, in the order above; empty where there is nothing to count. */
export function countWords(counts: Record<string, number>, t: Words = english): string {
  const known = Object.keys(names).filter((what) => (counts[what] ?? 0) > 0);
  const others = Object.keys(counts).filter((what) => !(what in names) && (counts[what] ?? 0) > 0);
  const parts = [
    ...known.map((what) => t(names[what] ?? what, { n: counts[what] ?? 0 })),
    ...others.map((what) => t("{n} {what}", { n: counts[what] ?? 0, what })),
  ];
  return new Intl.ListFormat(t.locale).format(parts);
}
