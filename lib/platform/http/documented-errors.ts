import type { z } from "zod";
import type { Contract } from "@/lib/platform/http/contract";
import { type ErrorCode, errorStatus } from "@/lib/platform/issue";

/** One error response of a call: its status, code, and when it occurs. */
export type DocumentedError = { status: number; code: ErrorCode; when: string };

/** Every error code with its description, by status. */
export const errorDescriptions: Record<ErrorCode, string> = {
  invalid_json: "The body is not valid JSON or form data, or not UTF-8.",
  invalid_cursor: "`after` is not a cursor of this list.",
  invalid_parameter: "A query parameter is invalid. All invalid ones are listed.",
  client_id_required: "You have access to several stores and didn't specify one.",
  unauthorized: "The credential is missing or wrong. A wrong one is rejected even if another one is valid.",
  client_forbidden: "The store doesn't exist or you don't have access to it. The response is the same in both cases.",
  forbidden: "The key's scope, the person's role or the page's origin doesn't allow it.",
  not_found: "The resource doesn't exist or belongs to another store.",
  method_not_allowed: "The path doesn't support this method. `Allow` lists those it supports.",
  conflict: "The request conflicts with stored data, or a request with the same `Idempotency-Key` is in progress.",
  too_large: "The body is too large.",
  unsupported_media_type: "The `Content-Type` isn't supported.",
  invalid_field: "A field of the body is invalid. All invalid ones are listed.",
  idempotency_key_reused: "The `Idempotency-Key` was used for another request in the last 24 hours.",
  rate_limited: "Too many requests. Wait for the number of seconds in `Retry-After`.",
  internal: "Unexpected error in Candor. Find it in the log by the response's `X-Request-Id`.",
  unavailable:
    "The database is unavailable. No partial changes were saved. Retry after the number of seconds in `Retry-After`.",
};

/**
 * The error responses of an endpoint: those that route() produces for its contract, and those that the contract lists.
 */
export function documentedErrorsOf(contract: Contract): DocumentedError[] {
  const authenticated = contract.auth === "management" || contract.auth === "session";
  // Every query is checked for NUL.
  const codes: ErrorCode[] = ["invalid_parameter", ...(contract.errors ?? [])];
  if (shapeOf(contract.query).after) codes.push("invalid_cursor");
  if (contract.accepts !== "none") codes.push("invalid_json", "too_large", "unsupported_media_type");
  if (contract.body) codes.push("invalid_field");
  if (authenticated) codes.push("unauthorized", "forbidden");
  if (authenticated && contract.client === "one") codes.push("client_id_required", "client_forbidden");
  if (contract.auth === "public_key") codes.push("client_forbidden", "forbidden");
  if (contract.path.includes("{")) codes.push("not_found");
  if (contract.idempotency !== "no") codes.push("conflict", "idempotency_key_reused");
  if (contract.limit !== "none") codes.push("rate_limited");
  codes.push("internal", "unavailable");
  return [...new Set(codes)]
    .map((code) => ({ status: httpStatusOf(code, contract), code, when: errorDescriptions[code] }))
    .sort((a, b) => a.status - b.status);
}

/** The HTTP status of an error: public submissions return 406 for invalid fields, as documented. */
export const httpStatusOf = (code: ErrorCode, { auth }: Contract): number =>
  code === "invalid_field" && (auth === "public" || auth === "public_key") ? 406 : errorStatus[code];

/** The members of an object schema, also inside a refinement or transformation. Empty for other schemas. */
export const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  (objectOf(schema)?.shape ?? {}) as Record<string, z.ZodType>;

export function objectOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  const { def } = (schema as z.ZodObject | undefined)?._zod ?? {};
  if (!def) return undefined;
  if ((def.type as string) === "pipe") return objectOf((def as unknown as { in: z.ZodType }).in);
  return def.type === "object" ? (schema as z.ZodObject) : undefined;
}
