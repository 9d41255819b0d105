// Which sentence a message was made of. What stands in its places was partly said by other systems, so finding that out
// takes time in proportion to the message's length, whatever it holds: nothing that was found is ever looked for again.

/** Places that hold numbers; all others hold what is said of the case at hand. */
const counts = new Set(["n", "m"]);
/** What another system said, and why something failed, may be several sentences; anything else is part of one. */
const several = new Set(["said", "why"]);
/** More digits than any number of ours has. */
const NUMBER = "(\\d{1,15})";

type Values = Record<string, string | number>;

export type Pattern = {
  text: string;
  /** how many characters are its own, outside its places */
  plain: number;
  /** What fills the places of a message that was made of it; null for any other message. */
  read: (message: string) => Values | null;
};

/** What stands between two places that hold any text: plain text and numbers. */
type Fixed = { shape: RegExp; numbers: string[] };

/** A sentence with places such as `{name}` in it, to be found again in messages. */
export function patternOf(text: string): Pattern {
  const names: string[] = [];
  const between: { source: string; numbers: string[] }[] = [{ source: "", numbers: [] }];
  for (const part of text.split(/(\{\w+\})/)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const last = between.at(-1) as (typeof between)[number];
    if (name === undefined) last.source += part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    else if (counts.has(name)) {
      last.source += NUMBER;
      last.numbers.push(name);
    } else {
      names.push(name);
      between.push({ source: "", numbers: [] });
    }
  }
  const fixed = between.map(({ source, numbers }, at): Fixed => {
    const [begin, end] = [at === 0 ? "^" : "", at === between.length - 1 ? "$" : ""];
    return { shape: new RegExp(`${begin}${source}${end}`, "g"), numbers };
  });
  return {
    text,
    plain: text.replace(/\{\w+\}/g, "").length,
    read: (message) => valuesIn(message, names, fixed),
  };
}

/**
 * Each place holds as little as it can: up to the first time that what follows it stands there. Where that leaves the rest
 * unfound, a longer one would as well, since places hold a part of one sentence, and what may be several stands last.
 */
function valuesIn(message: string, names: string[], fixed: Fixed[]): Values | null {
  const values: Values = {};
  let at = 0;
  for (const [index, { shape, numbers }] of fixed.entries()) {
    const name = index === 0 ? undefined : names[index - 1];
    // A place holds something.
    shape.lastIndex = name === undefined ? 0 : at + 1;
    const found = shape.exec(message);
    if (!found) return null;
    if (name !== undefined) {
      const value = message.slice(at, found.index);
      if (!several.has(name) && /[.!?] /.test(value + (message[found.index] ?? ""))) return null;
      values[name] = value;
    }
    for (const [n, number] of numbers.entries()) values[number] = Number(found[n + 1]);
    at = found.index + found[0].length;
  }
  return values;
}
