/** A moment as answers print it: UTC, whole seconds, `2026-01-31T08:00:00Z`. */
export const toIsoSeconds = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;
