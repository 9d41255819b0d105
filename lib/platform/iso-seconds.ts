/** A time in the format of responses: UTC, whole seconds, `2026-01-31T08:00:00Z`. */
export const toIsoSeconds = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`;
