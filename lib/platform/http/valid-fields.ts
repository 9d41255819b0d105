import type { z } from "zod";
import { unstorableIssues } from "@/lib/platform/http/json";

/**
 * The fields of a body that are right by themselves, though others of it are wrong, and the names of those that are not:
 * for judging what only settings and stored rows tell. Names that every object has (`toString`) are no fields of ours.
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
