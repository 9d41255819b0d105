/** The request header with the person that a portal page was rendered for. Browser-safe. */
export const PERSON_HEADER = "Candor-Person";
