// Values that the browser needs, too.

/** The key in the URL of an uploaded image; null for any other URL. */
export const uploadedKey = (url: unknown): string | null =>
  typeof url === "string" ? (/\/images\/([0-9a-f]{32})\//.exec(url)?.[1] ?? null) : null;
