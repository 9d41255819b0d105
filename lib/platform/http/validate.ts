import type { z } from "zod";
import { AppError, type ErrorCode, type Issue } from "@/lib/platform/errors";

/** A zod path as callers read it: `order.items[0].delivery_date`. */
export function fieldOf(path: readonly PropertyKey[]): string | null {
  let field = "";
  for (const part of path) field += typeof part === "number" ? `[${part}]` : field ? `.${String(part)}` : String(part);
  return field || null;
}

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  date: "a date",
};

/** A sentence for people about one issue. A message that a schema wrote itself takes precedence over this. */
export function issueMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "too_big":
      if (issue.origin === "string") return `must be at most ${issue.maximum} characters long`;
      if (issue.origin === "array") return `must hold at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case "too_small":
      if (issue.origin === "string")
        return Number(issue.minimum) === 1 ? "must not be empty" : `must be at least ${issue.minimum} characters long`;
      if (issue.origin === "array") return `must hold at least ${issue.minimum} entries`;
      return `must be at least ${issue.minimum}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      if (issue.format === "email") return "must be an e-mail address";
      if (issue.format === "url") return "must be a URL";
      if (issue.format === "date") return "must be a date, YYYY-MM-DD";
      return "has the wrong form";
    case "invalid_union":
      return "has none of the allowed forms";
    case "unrecognized_keys":
      return `has no ${issue.keys.join(", ")}`;
    default:
      return issue.message ?? "is not valid";
  }
}

const forPeople = {
  reportInput: true,
  error: (issue) => issueMessage(issue as z.core.$ZodIssue),
} satisfies z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Parses `value`, or throws one error that lists every issue, those found before (`known`) too. `code` is the error's:
 * bodies and queries differ.
 */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ErrorCode,
  known: Issue[] = [],
): z.output<S> {
  const parsed = schema.safeParse(value, forPeople);
  if (parsed.success && known.length === 0) return parsed.data;
  const found = parsed.error?.issues ?? [];
  const issues = [...known, ...found.map(({ path, message }) => ({ field: fieldOf(path), message }))];
  throw new AppError(code, issues.map((issue) => `${issue.field}: ${issue.message}`).join("; "), { issues });
}
