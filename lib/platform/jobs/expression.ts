// The conditions on triggers, waits and cancellations (`if`, `match`): a small part of CEL. Supported: paths such as
// event.data.id and async.data.id, text, numbers, true, false, null, == != < <= > >= && || ! and parentheses.

type Scope = { event: unknown; async?: unknown };
type Expression = (scope: Scope) => unknown;

const token =
  /\s*(?:(\d+(?:\.\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([A-Za-z_]\w*(?:\.\w+)*)|(==|!=|<=|>=|&&|\|\||[<>!()]))/y;

const comparisons: Record<string, (a: unknown, b: unknown) => boolean> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => order(a, b) < 0,
  "<=": (a, b) => order(a, b) <= 0,
  ">": (a, b) => order(a, b) > 0,
  ">=": (a, b) => order(a, b) >= 0,
};

/** Parses a condition once. Throws with the text and what is not understood; evaluating never throws. */
export function parseExpression(text: string): (scope: Scope) => unknown {
  const tokens = tokenize(text);
  let at = 0;
  const next = () => tokens[at];
  const take = (symbol: string) => next()?.symbol === symbol && ++at > 0;
  const fail = (): never => {
    throw new Error(`The condition "${text}" is not understood near "${next()?.text ?? "its end"}"`);
  };

  const either = (): Expression => {
    let left = both();
    while (take("||"))
      left = (
        (a, b) => (scope: Scope) =>
          Boolean(a(scope)) || Boolean(b(scope))
      )(left, both());
    return left;
  };
  const both = (): Expression => {
    let left = compared();
    while (take("&&"))
      left = (
        (a, b) => (scope: Scope) =>
          Boolean(a(scope)) && Boolean(b(scope))
      )(left, compared());
    return left;
  };
  const compared = (): Expression => {
    const left = single();
    const compare = comparisons[next()?.symbol ?? ""];
    if (!compare) return left;
    at++;
    const right = single();
    return (scope) => compare(left(scope), right(scope));
  };
  const single = (): Expression => {
    if (take("!"))
      return (
        (inner) => (scope: Scope) =>
          !inner(scope)
      )(single());
    if (take("(")) {
      const inner = either();
      return take(")") ? inner : fail();
    }
    const found = next();
    if (!found || found.symbol !== undefined) return fail();
    at++;
    if (found.path) return (scope) => read(scope, found.path as string[]);
    return () => found.value;
  };

  const expression = either();
  return at === tokens.length ? expression : fail();
}

type Token = { text: string; symbol?: string; value?: unknown; path?: string[] };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(token);
  while (text.slice(pattern.lastIndex).trim() !== "") {
    const begin = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) throw new Error(`The condition "${text}" is not understood near "${text.slice(begin).trim()}"`);
    const [all, number, single, double, name, symbol] = found;
    const shown = all.trim();
    if (symbol !== undefined) tokens.push({ text: shown, symbol });
    else if (number !== undefined) tokens.push({ text: shown, value: Number(number) });
    else if (name === "true" || name === "false") tokens.push({ text: shown, value: name === "true" });
    else if (name === "null") tokens.push({ text: shown, value: null });
    else if (name !== undefined) tokens.push({ text: shown, path: pathOf(name, text) });
    else tokens.push({ text: shown, value: (single ?? double ?? "").replace(/\\(.)/g, "$1") });
  }
  return tokens;
}

function pathOf(name: string, text: string): string[] {
  const path = name.split(".");
  if (path[0] === "event" || path[0] === "async") return path;
  throw new Error(`The condition "${text}" may read only event.… and async.…, not "${name}"`);
}

/** A member that is not there is null, as it would be in JSON. */
function read(scope: Scope, path: string[]): unknown {
  let value: unknown = scope;
  for (const name of path) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

/** Negative, zero or positive; NaN (every comparison false) for values that have no order. */
function order(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return Number.NaN;
}
