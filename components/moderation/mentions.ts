import type { Colleague } from "@/lib/accounts/schema";

// A mention is a person's name after an @ in a note's text.

/** The @ being written before the cursor: where it is, and what follows it. Null if there is none. */
export function mentionAt(text: string, cursor: number): { start: number; typed: string } | null {
  const found = /(?:^|[\s(])@([^@\n]{0,60})$/.exec(text.slice(0, cursor));
  return found ? { start: cursor - (found[1] ?? "").length - 1, typed: found[1] ?? "" } : null;
}

/** The people whose name, or a word of it, begins with what was typed. */
export function suggestPeople(people: readonly Colleague[], typed: string): Colleague[] {
  const wanted = typed.toLowerCase();
  return people.filter(({ name }) => {
    const lower = name.toLowerCase();
    // A complete name with more text after it is a finished mention.
    return lower.startsWith(wanted) || lower.split(/\s+/).some((word) => word.startsWith(wanted));
  });
}

/** The text in parts; those that mention one of the people have their ids. The longest name counts. */
export function splitMentions(text: string, people: readonly Colleague[]): { text: string; ids: string[] }[] {
  const names = [...new Set(people.map(({ name }) => name))].sort((a, b) => b.length - a.length);
  const parts: { text: string; ids: string[] }[] = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const isStart = text[at] === "@" && (at === 0 || /[\s(]/.test(text[at - 1] ?? ""));
    const name = isStart && names.find((one) => text.startsWith(one, at + 1) && isEnd(text, at + 1 + one.length));
    if (name) {
      if (plain) parts.push({ text: plain, ids: [] });
      plain = "";
      parts.push({ text: `@${name}`, ids: people.flatMap((one) => (one.name === name ? [one.id] : [])) });
      at += name.length + 1;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain) parts.push({ text: plain, ids: [] });
  return parts;
}

/** Whether a name ends here and isn't the beginning of a longer word. */
const isEnd = (text: string, at: number): boolean => !/[\p{L}\p{N}]/u.test(text[at] ?? " ");

/** The ids of the people whom a text mentions. */
export const mentionedIds = (text: string, people: readonly Colleague[]): string[] => [
  ...new Set(splitMentions(text, people).flatMap(({ ids }) => ids)),
];
