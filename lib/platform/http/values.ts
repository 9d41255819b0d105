/** The request header with the person that a portal page was rendered for. Browser-safe. */
export const PERSON_HEADER = "Candor-Person";

/** Characters of a search by words: fewer would find almost everything, and read all words that begin with a letter. */
export const MIN_SEARCH_LENGTH = 2;
