/** What the browser needs of this room besides types: no schemas here. */

export const LONGEST_REPLY = 5_000;
