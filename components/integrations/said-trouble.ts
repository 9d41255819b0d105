const members = ["error", "warning", "last_error", "said", "reason"] as const;

export type Trouble = {
  readonly [M in (typeof members)[number]]?: string | null;
};

/** Something with what the service tells of its trouble, in English, said by `say`. Codes stay: the page has words for them. */
export function saidTrouble<T extends Trouble>(one: T, say: (message: string) => string): T {
  const told = members.flatMap((member) => {
    const message = one[member];
    return message?.includes(" ") ? [[member, begun(say(message))]] : [];
  });
  return { ...one, ...Object.fromEntries(told) };
}

/** As a sentence begins: reasons follow the name of what they are about where programs read them. */
const begun = (text: string): string => (/^it(?:s| )/.test(text) ? `I${text.slice(1)}` : text);
