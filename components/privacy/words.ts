/** Names of what is counted, one and several. What is not listed is told by its own name. */
const names: Record<string, [one: string, several: string]> = {
  customers: ["customer", "customers"],
  orders: ["order", "orders"],
  reviews: ["review", "reviews"],
  seller_reviews: ["seller review", "seller reviews"],
  questions: ["question", "questions"],
  images: ["photo", "photos"],
  invitations: ["invitation", "invitations"],
  mails: ["mail", "mails"],
  copies: ["copy elsewhere", "copies elsewhere"],
};

const number = new Intl.NumberFormat("en-GB");

/** `3 orders, 1 review and 12 copies elsewhere`, in the order above; empty where there is nothing to count. */
export function countWords(counts: Record<string, number>): string {
  const known = Object.keys(names).filter((what) => (counts[what] ?? 0) > 0);
  const others = Object.keys(counts).filter((what) => !(what in names) && (counts[what] ?? 0) > 0);
  const parts = [...known, ...others].map((what) => {
    const count = counts[what] ?? 0;
    const [one, several] = names[what] ?? [what, what];
    return `${number.format(count)} ${count === 1 ? one : several}`;
  });
  const last = parts.pop();
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : (last ?? "");
}
