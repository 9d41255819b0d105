import { AppError } from "@/lib/platform/errors";
import type { Issue, Reason } from "@/lib/platform/issue";

/** Parses a request body. Broken JSON is `invalid_json`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", { reason: "invalid_json", cause });
  }
}

const MAX_DEPTH = 100;
/** Issues worth telling, and the characters of a place worth repeating in each: a body has room for far more. */
const MAX_ISSUES = 1_000;
const MAX_FIELD_LENGTH = 500;
const cut = (place: string) =>
  place.length > MAX_FIELD_LENGTH ? `${place.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : place;
/** NUL, halves of surrogate pairs, numbers beyond what a double holds: as JSON text may spell them. */
const maybeUnstorable = /\\u(?:0000|d[89a-f])|\de\+?\d{3}|(?<!\d)\d{309}/i;

/** What is wrong with a parsed body whatever it should hold; looks closely only where its text gives a reason to. */
export const jsonIssues = (text: string, value: unknown): Issue[] =>
  maybeUnstorable.test(text) || countBrackets(text) > MAX_DEPTH ? unstorableIssues(value) : [];

/** How many lists and objects a JSON text opens at most: an upper bound of its depth. */
function countBrackets(text: string): number {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
}

/**
 * What PostgreSQL cannot keep as it was sent: a text or name with the character NUL or half a surrogate pair, a number
 * that is infinite here. Each is an issue at its path, as is what is nested too deeply to look at; the first thousand are
 * told.
 */
export function unstorableIssues(given: unknown, name = ""): Issue[] {
  const issues: Issue[] = [];
  /** The way to the value that is looked at. Made a path where that is told only: there may be hundreds of thousands. */
  const keys: (string | number)[] = [];
  const path = () =>
    keys.reduce<string>((path, step) => {
      if (typeof step === "number") return `${path}[${step}]`;
      return path ? `${path}.${cut(step)}` : cut(step);
    }, name);
  const add = (reason: Reason) => issues.push({ field: cut(path()) || null, reason });
  const visitAt = (step: string | number, value: unknown) => {
    keys.push(step);
    visit(value);
    keys.pop();
  };
  const visit = (value: unknown): void => {
    if (issues.length >= MAX_ISSUES) return;
    if (typeof value === "string") unstorableReasons(value).forEach(add);
    else if (typeof value === "number" && !Number.isFinite(value)) add("number_too_large");
    if (value === null || typeof value !== "object") return;
    if (keys.length > MAX_DEPTH) add("nested_too_deeply");
    else if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) visitAt(index, value[index]);
    else
      for (const key of Object.keys(value)) {
        const odd = unstorableReasons(key);
        if (odd.length > 0) odd.forEach(add);
        else visitAt(key, (value as Record<string, unknown>)[key]);
      }
  };
  visit(given);
  return issues;
}

function unstorableReasons(text: string): Reason[] {
  if (text.includes("\0")) return ["nul_character"];
  return text.isWellFormed() ? [] : ["unpaired_surrogate"];
}
