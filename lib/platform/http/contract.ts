import type { z } from "zod";
import type { Tag } from "@/lib/platform/http/tags";
import type { ErrorCode } from "@/lib/platform/issue";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Role = "viewer" | "moderator" | "admin" | "operator";
/** The roles that a person of a shop may have; operators are made on the server. */
export type AssignableRole = Exclude<Role, "operator">;
export type Scope = "read" | "write" | "privacy";

/**
 * Who may call:
 * - `management`: API key (bearer, basic, `token=`), portal login by basic, or the portal's session from its own pages
 * - `session`: the portal's session only, from its own pages
 * - `public_key`: `client_id` and public `api_key` in the body
 * - `public`: anyone
 */
export type AuthMode = "management" | "session" | "public_key" | "public";

/** The named limits of callers; how many each allows stands in rate-limit.ts. */
export type Limit = "management" | "submission" | "feedback" | "upload" | "feed" | "none";

/** What a call looks like: query as written in an address, path parameters, body and answer (others by status) as values. */
export type Example = {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  answer?: unknown;
  others?: Record<number, unknown>;
};

/**
 * One endpoint, written once: validation, types, the OpenAPI description, the browser's client and the test matrix all
 * read it. Safe to import in the browser.
 */
export type Contract = {
  id: string;
  method: Method;
  /** with parameters in braces: `/v1/reviews/{id}` */
  path: string;
  summary: string;
  description?: string;
  tag: Tag;
  auth: AuthMode;
  /** what an API key needs, and the least role of a person; both must allow the call */
  scope: Scope;
  role: Role;
  /** `one`: the call is about one client, named by `client_id` or the caller's only one; `all`: all the caller's; `none` */
  client: "one" | "all" | "none";
  /** where `client_id` may stand; in both places, both must name the same */
  clientIn: "query" | "query_or_body";
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  /** how the body travels; `signed` is JSON that a signature covers: the handler gets the text as it came */
  accepts: "json" | "form" | "multipart" | "signed" | "none";
  /** bytes; what is larger is refused as `too_large` */
  maxBody: number;
  /** success status and the shape of its body (undefined: no body) */
  status: number;
  response?: z.ZodType;
  /** other successful statuses, with their shapes */
  alternatives?: Record<number, z.ZodType | undefined>;
  /** ways in which its verb refuses a call, beyond those that follow from the rest of the contract */
  errors?: readonly ErrorCode[];
  /** content type of the answer; JSON is checked against `response` in tests and development */
  produces: string;
  /** other content types that success may have, where the caller asks for one */
  alsoProduces?: readonly string[];
  /** answers carry `Access-Control-Allow-Origin: *` and preflights are answered */
  cors: boolean;
  limit: Limit;
  /**
   * Whether the call takes `Idempotency-Key`, and when the answer to it is kept: in the transaction that has the effect
   * (`transactional`), or after it, for a call that bears repetition and works in several transactions
   */
  idempotency: "no" | "transactional" | "after_commit";
  /** shown in the API's description and in the docs; a test holds it against the rest */
  example?: Example;
};

type EndpointOptions = Pick<Contract, "id" | "method" | "path" | "summary" | "tag" | "auth"> & Partial<Contract>;

const MiB = 1024 * 1024;

/** No other keys than those of a contract: an inferred type would take a misspelled one silently. */
type Exact<C> = C & { [K in Exclude<keyof C, keyof Contract>]: never };

/** Completes a contract with the house's defaults: JSON in and out, one client, read for GET and write for the rest. */
export function endpoint<const C extends EndpointOptions>(given: Exact<C>): Contract & C {
  const reads = given.method === "GET";
  const isPublic = given.auth === "public" || given.auth === "public_key";
  return {
    scope: reads ? "read" : "write",
    role: reads ? "viewer" : "admin",
    client: given.auth === "public" ? "none" : "one",
    clientIn: "query",
    accepts: given.body ? "json" : "none",
    maxBody: MiB,
    status: 200,
    produces: "application/json; charset=utf-8",
    cors: isPublic,
    limit: isPublic ? "none" : "management",
    idempotency: given.auth === "management" && given.method === "POST" ? "transactional" : "no",
    ...given,
  };
}

type Infer<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;
export type Params<C extends Contract> = Infer<C["params"], Record<string, string>>;
export type Query<C extends Contract> = Infer<C["query"], Record<string, never>>;
export type Body<C extends Contract> = Infer<C["body"], undefined>;
export type ResponseOf<C extends Contract> = C["response"] extends z.ZodType ? z.input<C["response"]> : undefined;
