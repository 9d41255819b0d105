/** Limits of notes that the browser needs, without the schemas. */

export const MAX_NOTE_LENGTH = 2_000;
/** Maximum people mentioned in a note. */
export const MAX_MENTIONS = 20;
