import { AppError } from "@/lib/platform/errors";
import type { Issue, Reason } from "@/lib/platform/issue";

/** Parses a request body. Throws `invalid_json`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", { reason: "invalid_json", cause });
  }
}

const MAX_DEPTH = 100;
/** Limits of reported issues and of the length of their fields: a body can contain far more. */
const MAX_ISSUES = 1_000;
const MAX_FIELD_LENGTH = 500;
const cut = (place: string) =>
  place.length > MAX_FIELD_LENGTH ? `${place.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : place;
/** NUL, lone surrogates and numbers beyond a double, as JSON text may contain them. */
const maybeUnstorable = /\\u(?:0000|d[89a-f])|\de\+?\d{3}|(?<!\d)\d{309}/i;

/** The issues of a parsed body that don't depend on its schema. Searches the value only if its text may contain any. */
export const jsonIssues = (text: string, value: unknown): Issue[] =>
  maybeUnstorable.test(text) || countBrackets(text) > MAX_DEPTH ? unstorableIssues(value) : [];

/** Number of opening brackets in a JSON text: an upper bound of its depth. */
function countBrackets(text: string): number {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
}

/**
 * Finds values that PostgreSQL can't store: text or names with NUL or a lone surrogate, and infinite numbers. Also
 * reports values nested too deeply to check. Returns at most a thousand issues with their paths.
 */
export function unstorableIssues(given: unknown, name = ""): Issue[] {
  const issues: Issue[] = [];
  /** Keys of the current value. Only joined to a path when an issue is added: there may be hundreds of thousands. */
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
