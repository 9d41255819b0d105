import type { HeldReason } from "@/lib/invitations/rules";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** Reasons not to invite, as row labels. */
export const reasonLabels: Record<HeldReason, MessageKey> = {
  already_invited: "invitations.reasonInvited",
  already_reviewed: "invitations.reasonReviewed",
  not_reviewable: "invitations.reasonExcluded",
  no_delivery_date: "invitations.reasonNoDeliveryDate",
  product_deleted: "invitations.reasonProductRemoved",
  held: "invitations.reasonPaused",
  no_email: "invitations.reasonNoEmail",
  opted_out: "invitations.reasonOptedOut",
  suppressed: "invitations.reasonSuppressed",
  too_late: "invitations.reasonWindowExpired",
  too_early: "invitations.reasonNotDue",
  quarantine: "invitations.reasonCooldown",
  waiting_for_items: "invitations.reasonWaitingItems",
  send_limit: "invitations.reasonDailyLimit",
};
