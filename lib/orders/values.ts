/** Items of an order that one call takes. */
export const MAX_ITEMS = 2_000;
