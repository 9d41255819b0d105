/** Characters of an appeal's text. */
export const MAX_APPEAL_LENGTH = 2_000;
