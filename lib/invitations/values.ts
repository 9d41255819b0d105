import type { NotInvitedReason } from "@/lib/invitations/rules";

/**
 * Delegates an invitation to an external sender. The only event with a customer's address, so a webhook must name it.
 */
export const DELEGATED_EVENT = "invitation.handed";

/** What a person can do about inviting a customer to review an item. */
export const itemActions = ["send", "pause", "resume", "exclude", "include"] as const;
export type ItemAction = (typeof itemActions)[number];

/** Filters of the orders by their invitations: any item will be invited soon, or none was or will be. */
export const invitationFilters = ["soon", "none"] as const;
export type InvitationFilter = (typeof invitationFilters)[number];

/** Days that `soon` covers, with today. */
export const SOON_DAYS = 7;

/** Orders with items that are invited soon: by delivery date. */
export const soonSorts = ["soonest", "latest"] as const;
export type SoonSort = (typeof soonSorts)[number];

/** Reasons by which orders can be listed, the most frequent decisions first. */
export const filterReasons = [
  "excluded",
  "held",
  "opted_out",
  "suppressed",
  "quarantine",
  "already_reviewed",
  "too_late",
  "not_reviewable",
  "product_deleted",
  "no_delivery_date",
  "no_email",
  "failed",
] as const satisfies NotInvitedReason[];
export type FilterReason = (typeof filterReasons)[number];
