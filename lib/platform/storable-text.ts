/** Limit for reading foreign text: a response can be of any size, and only a small part of it is shown. */
const MAX_READ = 2_000;

/**
 * A text that the database accepts: without NUL, and with U+FFFD for lone surrogates. `most`: UTF-16 units; no
 * character is split.
 */
export function storableText(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  return truncateText((text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed(), maxLength);
}

/** Whether the database can store a text unchanged, within `most`. */
export const isStorable = (text: string, maxLength?: number): boolean => storableText(text, maxLength) === text;

/** Another system's text on one line, safe to show and store; ends with … if it's cut. */
export function quotedText(text: string, maxLength: number): string {
  const line = storableText(truncateText(text, MAX_READ)).replace(/\s+/g, " ").trim();
  return line.length > maxLength ? `${truncateText(line, maxLength)}…` : line;
}

/** Cuts after `length` UTF-16 units, without splitting a surrogate pair. */
export function truncateText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
