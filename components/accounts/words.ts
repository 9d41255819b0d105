import type { Scope } from "@/lib/http/contract";

/** What a key may do, for those who choose it. */
export const scopeWords: Record<Scope, { name: string; what: string }> = {
  read: { name: "Read", what: "Reviews, orders, products and summaries, with the customers in them." },
  write: { name: "Write", what: "Send orders and reviews, and moderate." },
  privacy: { name: "Personal data", what: "See and delete everything that is stored about a person." },
};
