import type { HeldReason } from "@/lib/invitations/rules";

/** A reason not to ask, as the name of a row. */
export const reasonWords: Record<HeldReason, string> = {
  already_invited: "Asked for already",
  already_reviewed: "Reviewed already",
  not_reviewable: "Cancelled, or not in the catalogue",
  no_delivery_date: "No delivery date",
  product_deleted: "Product gone from the catalogue",
  held: "Held back by a person",
  no_email: "No e-mail address",
  opted_out: "Customer wants no mail",
  suppressed: "Mail came back, or was complained about",
  too_late: "Too late: the days for asking were over",
  too_early: "Not due yet",
  quarantine: "Customer had a mail lately",
  waiting_for_items: "Waits for other items of the customer",
  send_limit: "Limit of mails a day",
};
