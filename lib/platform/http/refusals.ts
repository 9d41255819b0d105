import type { z } from "zod";
import type { Contract } from "@/lib/platform/http/contract";
import { type ErrorCode, errorStatus } from "@/lib/platform/issue";

/** One way a call may be refused: its status, code, and when. */
export type Refusal = { status: number; code: ErrorCode; when: string };

/** Every error code and what it says, in the order of its status. */
export const whenRefused: Record<ErrorCode, string> = {
  invalid_json: "The body is not JSON (or not the form it says it is), or not UTF-8.",
  invalid_cursor: "`after` is not a cursor of this list.",
  invalid_parameter: "A value in the query is wrong; every wrong one is listed.",
  client_id_required: "The caller reaches several clients and names none.",
  unauthorized: "No credential, or a wrong one. A wrong one is never made up for by another.",
  client_forbidden: "The client is unknown or not the caller's; both get the same answer.",
  forbidden: "The key's scope, the person's role or the page's origin does not allow it.",
  not_found: "There is no such row, or it belongs to another client.",
  method_not_allowed: "The address does not offer this method; `Allow` names those it does.",
  conflict: "It would contradict what is stored, or a request with the same `Idempotency-Key` is still being answered.",
  too_large: "The body is larger than allowed.",
  unsupported_media_type: "The `Content-Type` is not the documented one.",
  invalid_field: "A field of the body is wrong; every wrong one is listed.",
  idempotency_key_reused: "The `Idempotency-Key` was used for another request in the last 24 hours.",
  rate_limited: "Too many requests; `Retry-After` says how many seconds to wait.",
  internal: "Something went wrong on our side. The `X-Request-Id` of the answer finds it in the log.",
  unavailable: "The database is away; nothing is half written. `Retry-After` says when to come back.",
};

/** How an endpoint may refuse a call: as route() does for every contract like it, and as the contract says itself. */
export function refusalsOf(contract: Contract): Refusal[] {
  const authenticated = contract.auth === "management" || contract.auth === "session";
  // No query may hold a NUL, whatever else it may hold.
  const codes: ErrorCode[] = ["invalid_parameter", ...(contract.refusals ?? [])];
  if (shapeOf(contract.query).after) codes.push("invalid_cursor");
  if (contract.accepts !== "none") codes.push("invalid_json", "too_large", "unsupported_media_type");
  if (contract.body) codes.push("invalid_field");
  if (authenticated) codes.push("unauthorized", "forbidden");
  if (authenticated && contract.client === "one") codes.push("client_id_required", "client_forbidden");
  if (contract.auth === "public_key") codes.push("client_forbidden", "forbidden");
  if (contract.path.includes("{")) codes.push("not_found");
  if (contract.keepsAnswer !== "no") codes.push("conflict", "idempotency_key_reused");
  if (contract.limit !== "none") codes.push("rate_limited");
  codes.push("internal", "unavailable");
  return [...new Set(codes)]
    .map((code) => ({ status: statusOf(code, contract), code, when: whenRefused[code] }))
    .sort((a, b) => a.status - b.status);
}

/** The HTTP status of a refusal: public submissions answer 406 for invalid fields, as their interface documents. */
export const statusOf = (code: ErrorCode, { auth }: Contract): number =>
  code === "invalid_field" && (auth === "public" || auth === "public_key") ? 406 : errorStatus[code];

/** The members of an object schema, also where a refinement or transformation is wrapped around it; none otherwise. */
export const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  (objectOf(schema)?.shape ?? {}) as Record<string, z.ZodType>;

export function objectOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  const { def } = (schema as z.ZodObject | undefined)?._zod ?? {};
  if (!def) return undefined;
  if ((def.type as string) === "pipe") return objectOf((def as unknown as { in: z.ZodType }).in);
  return def.type === "object" ? (schema as z.ZodObject) : undefined;
}
