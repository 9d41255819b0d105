/** A webhook's URL to show with a delivery's summary; null if the summary contains it, as some errors do. */
export const urlBeside = (summary: string, url: string): string | null => (summary.includes(url) ? null : url);
