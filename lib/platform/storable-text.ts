/** So much is looked at of what others say: an answer may be as long as it likes, and what is shown of it is far less. */
const MAX_READ = 2_000;

/**
 * A text as the database keeps it, which has room for neither NUL nor halves of characters: without the one, and with
 * U+FFFD in place of the other. `most`: UTF-16 units; no character is cut in two.
 */
export function storableText(text: string, most = Number.POSITIVE_INFINITY): string {
  return cut((text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed(), most);
}

/** Whether the database keeps a text as it is, and it is no longer than that. */
export const isStorable = (text: string, most?: number): boolean => storableText(text, most) === text;

/** What another system says, on one line that can be shown and kept; with … where there is more. */
export function quotedText(text: string, most: number): string {
  const line = storableText(cut(text, MAX_READ)).replace(/\s+/g, " ").trim();
  return line.length > most ? `${cut(line, most)}…` : line;
}

/** Cuts after so many UTF-16 units, without leaving half of a surrogate pair behind. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
