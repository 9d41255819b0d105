const members = ["error", "warning", "last_error", "said", "reason"] as const;

export type Trouble = {
  readonly [M in (typeof members)[number]]?: string | null;
};

/** What there is to be said of its trouble. */
export const troubleOf = (one: Trouble): { message: string | null }[] =>
  members.map((member) => ({ message: toSay(one[member]) }));

/** Codes stay: the page has words for them. */
const toSay = (told: string | null | undefined): string | null => (told?.includes(" ") ? told : null);

/** Something with what the service tells of its trouble, in English, said by `say`. */
export function saidTrouble<T extends Trouble>(one: T, say: (message: string) => string): T {
  const told = members.flatMap((member) => {
    const message = toSay(one[member]);
    return message === null ? [] : [[member, begun(say(message))]];
  });
  return { ...one, ...Object.fromEntries(told) };
}

/** As a sentence begins: reasons follow the name of what they are about where programs read them. */
const begun = (text: string): string => (/^it(?:s| )/.test(text) ? `I${text.slice(1)}` : text);
