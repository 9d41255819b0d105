/** Constants the browser needs, without the schemas. */

export const MAX_REPLY_LENGTH = 5_000;
