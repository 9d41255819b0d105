/** Maximum items per order request. */
export const MAX_ITEMS = 2_000;
