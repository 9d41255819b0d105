/** What the browser needs of this room besides types: no schemas here. */

export const MAX_REPLY_LENGTH = 5_000;
