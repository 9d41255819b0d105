import type { z } from "zod";
import { decodeReason, encodeReason, type Issue, type Params, type Reason } from "@/lib/platform/issue";

// Converts zod errors to issues. Browser-safe.

/** A zod path as a field: `order.items[0].delivery_date`. Null for the root. */
export function fieldOf(path: readonly PropertyKey[]): string | null {
  let field = "";
  for (const part of path) field += typeof part === "number" ? `[${part}]` : field ? `.${String(part)}` : String(part);
  return field || null;
}

const typeReasons: Record<string, Reason> = {
  string: "not_text",
  number: "not_a_number",
  int: "not_a_whole_number",
  boolean: "not_a_boolean",
  object: "not_an_object",
  record: "not_an_object",
  array: "not_a_list",
  date: "not_a_date",
};
const formatReasons: Record<string, Reason> = { email: "not_an_email", url: "not_a_url", date: "not_a_date" };

function reasonOf(issue: z.core.$ZodRawIssue): [Reason, Params?] {
  switch (issue.code) {
    case "invalid_type":
      return [issue.input === undefined ? "required" : (typeReasons[issue.expected] ?? "invalid")];
    case "too_big": {
      const max = Number(issue.maximum);
      if (issue.origin === "string") return ["too_long", { max }];
      return [issue.origin === "array" ? "too_many_entries" : "too_large", { max }];
    }
    case "too_small": {
      const min = Number(issue.minimum);
      if (issue.origin === "string") return min === 1 ? ["empty"] : ["too_short", { min }];
      return [issue.origin === "array" ? "too_few_entries" : "too_small", { min }];
    }
    case "invalid_value":
      return ["not_an_option", { values: issue.values.map(String).join(", ") }];
    case "invalid_format":
      return [formatReasons[issue.format] ?? "invalid_format"];
    case "invalid_union":
      return ["no_matching_form"];
    case "unrecognized_keys":
      return ["unknown_keys", { names: issue.keys.join(", ") }];
    default:
      return ["invalid"];
  }
}

const context = {
  reportInput: true,
  error: (issue) => encodeReason(...reasonOf(issue as z.core.$ZodRawIssue)),
} satisfies z.core.ParseContext<z.core.$ZodIssue>;

/** Parses a value. Returns issues if it is invalid, with the reasons that checks set by {@link encodeReason}. */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { data: z.output<S>; issues: null } | { data: null; issues: Issue[] } {
  const { success, data, error } = schema.safeParse(value, context);
  if (success) return { data, issues: null };
  const issues = error.issues.map(({ path, message }) => ({
    field: fieldOf(path),
    ...(decodeReason(message) ?? { reason: "invalid" as const }),
  }));
  return { data: null, issues };
}
