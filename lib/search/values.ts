/** What a search finds, in the order in which it is shown. */
export const searchKinds = ["order", "customer", "product", "review", "seller_review", "question"] as const;
export type SearchKind = (typeof searchKinds)[number];
