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

/**
 * PostgreSQL cannot keep the character NUL: every text or name in `value` that holds one is a fault at its path. So is
 * what is nested too deeply to look at.
 */
export function nulFaults(value: unknown, path = "", depth = 0): Fault[] {
  const fault = (message: string): Fault[] => [{ field: path || null, message }];
  if (typeof value === "string") return value.includes("\0") ? fault("must not hold the character NUL") : [];
  if (value === null || typeof value !== "object") return [];
  if (depth > DEEPEST) return fault("is nested too deeply");
  if (Array.isArray(value)) return value.flatMap((item, index) => nulFaults(item, `${path}[${index}]`, depth + 1));
  return Object.entries(value).flatMap(([key, item]) =>
    key.includes("\0")
      ? fault("must not hold the character NUL")
      : nulFaults(item, path ? `${path}.${key}` : key, depth + 1),
  );
}
