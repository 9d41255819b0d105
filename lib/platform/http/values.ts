/** The header by which a page of the portal says, with every call, whom it was drawn for. Browser-safe. */
export const PERSON_HEADER = "Candor-Person";
