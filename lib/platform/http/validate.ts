import type { z } from "zod";
import { AppError } from "@/lib/platform/errors";
import { parse } from "@/lib/platform/http/issues";
import type { ErrorCode, Issue } from "@/lib/platform/issue";

/** Parses `value`. Throws one error with all issues, including `known`. `code` differs for bodies and queries. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ErrorCode,
  known: readonly Issue[] = [],
): z.output<S> {
  const { data, issues } = parse(schema, value);
  if (issues === null && known.length === 0) return data as z.output<S>;
  throw new AppError(code, { issues: [...known, ...(issues ?? [])] });
}
