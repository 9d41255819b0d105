import type { z } from "zod";
import { shapeOf } from "@/lib/platform/http/documented-errors";

export function firstValues(parameters: URLSearchParams): Record<string, string> {
  const search: Record<string, string> = {};
  for (const [name, value] of parameters) search[name] ??= value;
  return search;
}

/** Converts a query to its schema's input, from the first value of each parameter and all parameters. */
export type QueryReader = (
  search: Record<string, string>,
  parameters: URLSearchParams,
) => Record<string, string | string[]>;

/** Creates a reader for queries of a schema: a list accepts repeated parameters, otherwise the first value counts. */
export function queryReader(schema: z.ZodType | undefined): QueryReader {
  const lists = Object.entries(shapeOf(schema)).flatMap(([name, each]) => (isList(each) ? [name] : []));
  if (lists.length === 0) return (search) => search;
  return (search, parameters) => {
    const sent = lists.filter((name) => parameters.has(name));
    return { ...search, ...Object.fromEntries(sent.map((name) => [name, parameters.getAll(name)])) };
  };
}

/** Also if it's optional or transformed. */
function isList(schema: z.ZodType): boolean {
  const { def } = schema._zod;
  if (def.type === "pipe" && "in" in def) return isList(def.in as z.ZodType);
  return "innerType" in def ? isList(def.innerType as z.ZodType) : def.type === "array";
}
