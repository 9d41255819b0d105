import type errors from "@/lib/platform/i18n/messages/en/errors.json";
import type programErrors from "@/lib/platform/i18n/messages/en/program-errors.json";

// Errors as data: a code, a reason and the parameters of its message. Browser-safe: contains no messages.

/** Every error code of the API, with its HTTP status. Public submissions return 406 for `invalid_field`. */
export const errorStatus = {
  invalid_json: 400,
  invalid_cursor: 400,
  invalid_parameter: 400,
  client_id_required: 400,
  unauthorized: 401,
  client_forbidden: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_field: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/**
 * A key of the error messages: `errors.json` in every language, or `program-errors.json` (errors of API clients) in
 * English only.
 */
export type Reason = keyof typeof errors | keyof typeof programErrors;

export type Params = Readonly<Record<string, string | number>>;

/** One validation error of a request. `field` is a path such as `order.items[0].delivery_date`. */
export type Issue = {
  code?: ErrorCode;
  field: string | null;
  reason: Reason;
  params?: Params;
};

/** One message of a run, a delivery or a check. */
export type Notice = Pick<Issue, "reason" | "params"> & { field?: string | null };

/** A reason with its parameters as a string, for the `error` of a zod check. See {@link decodeReason}. */
export const encodeReason = (reason: Reason, params?: Params): string =>
  JSON.stringify(params ? [reason, params] : [reason]);

/** Decodes the result of {@link encodeReason}. Null for any other text. */
export function decodeReason(text: string): Pick<Issue, "reason" | "params"> | null {
  if (!text.startsWith('["')) return null;
  const [reason, params] = JSON.parse(text) as [Reason, Params?];
  return { reason, params };
}
