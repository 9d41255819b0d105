/**
 * Delegates an invitation to an external sender. The only event with a customer's address, so a webhook must name it.
 */
export const DELEGATED_EVENT = "invitation.handed";
