/** What the browser needs of this room besides types: no schemas here. */

/** Bytes of one file of totals that the portal takes; larger ones go by the command. */
export const MAX_EXTERNAL_BYTES = 10 * 1024 * 1024;
