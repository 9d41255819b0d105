import type { z } from "zod";
import { unstorableIssues } from "@/lib/platform/http/json";

/**
 * The fields of a body that are valid on their own, and the names of the invalid ones. Allows checks against settings
 * and stored rows although other fields are invalid. Ignores inherited names (`toString`).
 */
export function pickValidFields<S extends z.ZodObject>(
  schema: S,
  given: unknown,
): { body: z.output<S>; unreadable: ReadonlySet<string> } {
  const readable: [string, unknown][] = [];
  const invalid = new Set<string>();
  for (const [name, value] of Object.entries(given as object)) {
    if (!Object.hasOwn(schema.shape, name)) continue;
    const parsed = (schema.shape[name] as z.ZodType).safeParse(value);
    if (parsed.success && unstorableIssues(value).length === 0) readable.push([name, parsed.data]);
    else invalid.add(name);
  }
  return { body: Object.fromEntries(readable) as z.output<S>, unreadable: invalid };
}
