/** Hands an invitation to the merchant's own sender: the only event with a customer's address, so a webhook must ask for it. */
export const DELEGATED_EVENT = "invitation.handed";
