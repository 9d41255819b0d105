import type { z } from "zod";
import type { Tag } from "@/lib/platform/http/tags";
import type { ErrorCode } from "@/lib/platform/issue";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Role = "viewer" | "moderator" | "admin" | "operator";
/** The roles of a store's team members. Operators are created on the server. */
export type AssignableRole = Exclude<Role, "operator">;
export type Scope = "read" | "write" | "privacy";

/**
 * Who may call:
 * - `management`: API key (bearer, basic, `token=`), portal sign-in by basic auth, or the portal's session from its own
 * pages
 * - `session`: only the portal's session, from its own pages
 * - `public_key`: `client_id` and public `api_key` in the body
 * - `public`: anyone
 */
export type AuthMode = "management" | "session" | "public_key" | "public";

/** Named rate limits; their values are in rate-limit.ts. */
export type Limit = "management" | "submission" | "feedback" | "upload" | "feed" | "none";

/** An example call: query as in a URL, path parameters, body, response, and other responses by status. */
export type Example = {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  answer?: unknown;
  others?: Record<number, unknown>;
};

/**
 * One endpoint: the source of validation, types, the OpenAPI description, the browser client and the test matrix.
 * Browser-safe.
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
  /** required scope of an API key, and minimum role of a person; both must allow the call */
  scope: Scope;
  role: Role;
  /**
   * `one`: the call is about one client, given by `client_id` or the caller's only one; `all`: all clients of the
   * caller; `none`
   */
  client: "one" | "all" | "none";
  /** where `client_id` is read; if given in both, they must be equal */
  clientIn: "query" | "query_or_body";
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  /** encoding of the body; `signed` is JSON covered by a signature: the handler gets the raw text */
  accepts: "json" | "form" | "multipart" | "signed" | "none";
  /** bytes; a larger body is rejected with `too_large` */
  maxBody: number;
  /** success status and the schema of its body (undefined: no body) */
  status: number;
  response?: z.ZodType;
  /** other success statuses with their schemas */
  alternatives?: Record<number, z.ZodType | undefined>;
  /** further headers of a successful response, with their descriptions; pages of other origins may read them */
  headers?: Readonly<Record<string, string>>;
  /** error codes of its function, beyond those implied by the contract */
  errors?: readonly ErrorCode[];
  /** content type of the response; JSON is checked against `response` in tests and development */
  produces: string;
  /** other content types of a successful response, on request */
  alsoProduces?: readonly string[];
  /** error statuses that a person in a browser gets as a page */
  errorPages?: readonly number[];
  /** responses have `Access-Control-Allow-Origin: *`, and preflights are answered */
  cors: boolean;
  limit: Limit;
  /**
   * Whether the call supports `Idempotency-Key`, and when its response is stored: in the transaction of its effect
   * (`transactional`), or afterwards, for a repeatable call that uses several transactions.
   */
  idempotency: "no" | "transactional" | "after_commit";
  /** shown in the OpenAPI description and the docs; a test checks it against the contract */
  example?: Example;
};

type EndpointOptions = Pick<Contract, "id" | "method" | "path" | "summary" | "tag" | "auth"> & Partial<Contract>;

const MiB = 1024 * 1024;

/** Only keys of a contract: an inferred type would silently accept a misspelled one. */
type Exact<C> = C & { [K in Exclude<keyof C, keyof Contract>]: never };

/** Completes a contract with defaults: JSON in and out, one client, scope `read` for GET and `write` otherwise. */
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
