import { AppError, type Fault } from "@/lib/errors";

/** Parses a request body. Broken JSON is `invalid_json`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
}

const DEEPEST = 100;
/** NUL, halves of surrogate pairs, numbers beyond what a double holds: as JSON text may spell them. */
const oddSpelling = /\\u(?:0000|d[89a-f])|\de\+?\d{3}|\d{309}/i;

/** What is wrong with a parsed body whatever it should hold; looks closely only where its text gives a reason to. */
export const jsonFaults = (text: string, value: unknown): Fault[] =>
  oddSpelling.test(text) || opened(text) > DEEPEST ? unkeptFaults(value) : [];

/** How many lists and objects a JSON text opens at most: an upper bound of its depth. */
function opened(text: string): number {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
}

/**
 * What PostgreSQL cannot keep as it was sent: a text or name with the character NUL or half a surrogate pair, a number
 * that is infinite here. Each is a fault at its path, as is what is nested too deeply to look at.
 */
export function unkeptFaults(value: unknown, path = "", depth = 0): Fault[] {
  const fault = (message: string): Fault[] => [{ field: path || null, message }];
  if (typeof value === "string") return unkeptText(value).flatMap(fault);
  if (typeof value === "number") return Number.isFinite(value) ? [] : fault("is too large a number");
  if (value === null || typeof value !== "object") return [];
  if (depth > DEEPEST) return fault("is nested too deeply");
  if (Array.isArray(value)) return value.flatMap((item, index) => unkeptFaults(item, `${path}[${index}]`, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => {
    const name = unkeptText(key);
    return name.length > 0 ? name.flatMap(fault) : unkeptFaults(item, path ? `${path}.${key}` : key, depth + 1);
  });
}

function unkeptText(text: string): string[] {
  if (text.includes("\0")) return ["must not hold the character NUL"];
  return text.isWellFormed() ? [] : ["must not hold half a character (an unpaired surrogate)"];
}
