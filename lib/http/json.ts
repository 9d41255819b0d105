import { AppError, type Fault } from "@/lib/errors";

/**
 * Parses a request body. Broken JSON is `invalid_json`. PostgreSQL cannot keep the character NUL, so a string that
 * holds one is a fault at its path.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  }
  if (text.includes("\\u0000")) {
    const faults: Fault[] = [];
    findNul(value, "", faults);
    if (faults.length > 0) throw new AppError("invalid_field", "A text holds the character NUL.", { faults });
  }
  return value;
}

function findNul(value: unknown, path: string, faults: Fault[]): void {
  if (typeof value === "string") {
    if (value.includes("\0")) faults.push({ field: path || null, message: "must not hold the character NUL" });
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      findNul(item, `${path}[${index}]`, faults);
    });
  } else if (value && typeof value === "object") {
    for (const [key, item] of Object.entries(value)) {
      const inside = path ? `${path}.${key}` : key;
      if (key.includes("\0")) faults.push({ field: path || null, message: "must not hold the character NUL" });
      findNul(item, inside, faults);
    }
  }
}
