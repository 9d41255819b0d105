/** Items of an order that one call takes. */
export const MOST_ITEMS = 2_000;
