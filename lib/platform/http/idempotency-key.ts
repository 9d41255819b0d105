import { AppError } from "@/lib/platform/errors";

export const IDEMPOTENCY_KEY = "Idempotency-Key";
const MAX_KEY_LENGTH = 255;

/**
 * The caller's key, or null without one: 1 to 255 visible ASCII characters, bare (the usual form) or quoted as in the
 * IETF draft (a structured-field string); both mean the same key. Throws `invalid_parameter`.
 */
export function idempotencyKeyOf(headers: Headers): string | null {
  const sent = headers.get(IDEMPOTENCY_KEY);
  if (sent === null) return null;
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/.exec(sent)?.[1];
  const key = quoted === undefined ? sent : quoted.replace(/\\(.)/g, "$1");
  const fits = quoted === undefined ? /^[!#-+\--~]+$/.test(key) : key !== "";
  if (fits && key.length <= MAX_KEY_LENGTH) return key;
  throw new AppError("invalid_parameter", {
    reason: "invalid_idempotency_key",
    params: { max: MAX_KEY_LENGTH },
    field: IDEMPOTENCY_KEY,
  });
}
