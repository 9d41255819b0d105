/**
 * Delegates an invitation to an external sender. The only event with a customer's address, so a webhook must name it.
 */
export const DELEGATED_EVENT = "invitation.handed";

/** What a person can do about inviting a customer to review an item. */
export const itemActions = ["send", "pause", "resume", "exclude", "include"] as const;
export type ItemAction = (typeof itemActions)[number];
