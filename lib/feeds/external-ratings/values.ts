/** Constants the browser needs, without the schemas. */

/** Maximum bytes of a totals file in the portal; the admin command imports larger ones. */
export const MAX_EXTERNAL_BYTES = 10 * 1024 * 1024;
