/** Maximum items per order request. */
export const MAX_ITEMS = 2_000;

/** Orders of the portal's list: by time or by number. */
export const orderSorts = ["newest", "oldest", "number", "number_desc"] as const;
export type OrderSort = (typeof orderSorts)[number];
