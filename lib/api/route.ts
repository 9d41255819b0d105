import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import { actorAtClient, hasRole, withHighestRole } from "@/lib/accounts/actor";
import { authenticateRequest, authenticateSession } from "@/lib/accounts/sign-in/authenticate-request";
import { resolveClient, resolvePublicClient } from "@/lib/accounts/sign-in/resolve-client";
import { type ClientRow, getClient, isTestStore } from "@/lib/accounts/stores/get-client";
import { type ResponseParts, withIdempotency } from "@/lib/api/idempotency";
import { isOutOfSpace, outOfSpaceError, recordOutOfSpace } from "@/lib/platform/db/out-of-space";
import { isDatabaseUnavailable, isLockTimeout, isSerializationFailure } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError, publicIssue } from "@/lib/platform/errors";
import { ipAddressOf, networkOf } from "@/lib/platform/http/address";
import { type ParsedBody, readBody } from "@/lib/platform/http/body";
import type { Body, Contract, Params, Query, ResponseOf } from "@/lib/platform/http/contract";
import { documentedErrorsOf, httpStatusOf, shapeOf } from "@/lib/platform/http/documented-errors";
import { idempotencyKeyOf } from "@/lib/platform/http/idempotency-key";
import { maskedPath } from "@/lib/platform/http/masked-path";
import { pathPattern } from "@/lib/platform/http/path-pattern";
import { firstValues, type QueryReader, queryReader } from "@/lib/platform/http/query";
import { takeBytes, takeToken } from "@/lib/platform/http/rate-limit";
import { type HandlerResult, RawJson, Reply, StreamedBody } from "@/lib/platform/http/reply";
import { validate } from "@/lib/platform/http/validate";
import type { Issue } from "@/lib/platform/issue";
import { log } from "@/lib/platform/log";

/** What a handler gets: plain, validated values. `client` is set if the contract is about one client. */
export type Call<C extends Contract> = {
  actor: Actor;
  client: C["client"] extends "all" | "none" ? null : ClientRow;
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  /** the request's URL, for `links.next`: its query has only parameters of the contract, so never a credential */
  url: URL;
  headers: Headers;
  /** the request's method: HEAD is handled like GET */
  method: string;
  /** the caller's network address (TRUST_PROXY respected) */
  address: string;
};

export type Handler = ((request: Request, context?: { address?: string }) => Promise<Response>) & {
  contract: Contract;
};

/**
 * Finds issues that depend on the client's settings or stored rows. Handlers report them for a body of the right shape;
 * this is called if the shape is already wrong, so that the caller gets all issues together.
 */
export type Validator = (client: ClientRow, body: unknown, params: Record<string, string>) => Promise<Issue[]>;

const visitor = (address: string): Actor => ({
  kind: "visitor",
  id: address,
  name: "visitor",
  role: "viewer",
  scopes: [],
  clients: new Set(),
  accountId: null,
});

/**
 * The only way to an endpoint: request id → authenticate → rate limit → size-capped body → parse → handler → response
 * check (outside production) → headers → log line. One catch, one mapper. Returns a fetch-style handler that our server
 * and Next's route files share.
 */
export function route<C extends Contract>(
  contract: C,
  handle: (call: Call<C>) => Promise<HandlerResult<ResponseOf<C>>> | HandlerResult<ResponseOf<C>>,
  validator?: Validator,
): Handler {
  const readParams = pathReader(contract.path);
  const readQuery = queryReader(contract.query);
  const respond = async (authorized: AuthorizedRequest): Promise<ResponseParts> => {
    const call = await validateCall(contract, { readParams, readQuery }, validator, authorized);
    const parts = toResponseParts(contract, await handle(call as Call<C>));
    if (contract.auth === "public" && (await isOfTestStore(call.params as Record<string, string>)))
      parts.headers = { ...parts.headers, "X-Robots-Tag": "noindex, nofollow" };
    return parts;
  };
  const handler = async (request: Request, context?: { address?: string }): Promise<Response> => {
    const started = performance.now();
    const requestId = randomUUID();
    const url = new URL(request.url);
    const path = maskedPath(url);
    const headers: Record<string, string> = { "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" };
    if (contract.cors) headers["Access-Control-Allow-Origin"] = "*";
    else headers["Cache-Control"] = "no-store";
    if (contract.cors && contract.headers)
      headers["Access-Control-Expose-Headers"] = Object.keys(contract.headers).join(", ");
    let status: number;
    let body: BodyInit | null;
    try {
      const address = ipAddressOf(request.headers, context?.address);
      rejectNul(url, contract);
      const authorized = await authorize(contract, request, url, address, headers);
      const key = contract.idempotency === "no" ? null : idempotencyKeyOf(request.headers);
      const { method } = contract;
      const response =
        key === null
          ? await respond(authorized)
          : await withIdempotency(
              contract.idempotency,
              { ...authorized, key, method, body: authorized.parsedBody.value },
              () => respond(authorized),
            );
      status = response.status;
      body = response.body;
      Object.assign(headers, response.headers);
    } catch (error) {
      recordOutOfSpace(error);
      const publicError = toPublicError(error, contract);
      const rejection = errorResponse(publicError, contract);
      status = rejection.status;
      body = rejection.body;
      Object.assign(headers, rejection.headers, { "Content-Type": "application/json; charset=utf-8" });
      if (status >= 500) log.error({ err: publicError.cause ?? publicError, request: requestId }, "request failed");
    }
    if (request.method === "HEAD") {
      if (body instanceof ReadableStream) await body.cancel();
      body = null;
    }
    log.info({
      request: requestId,
      method: request.method,
      path,
      status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    });
    return new Response(body, { status, headers });
  };
  return Object.assign(handler, { contract });
}

/** Whether a public address names a test store, which search engines must not list. */
async function isOfTestStore({ client_id: id }: Record<string, string>): Promise<boolean> {
  const client = id === undefined ? null : await getClient(id);
  return client !== null && isTestStore(client);
}

/** A permitted request, with its raw query and body. */
type AuthorizedRequest = Pick<Call<Contract>, "actor" | "url" | "headers" | "method" | "address"> & {
  client: ClientRow | null;
  search: Record<string, string>;
  parsedBody: ParsedBody;
};

/** Checks caller, rate limit, client and body. Adds the response's headers to `headers`. */
async function authorize(
  contract: Contract,
  request: Request,
  url: URL,
  address: string,
  headers: Record<string, string>,
): Promise<AuthorizedRequest> {
  const credentials = { headers: request.headers, url, method: request.method, address };
  let actor = visitor(address);
  let client: ClientRow | null = null;
  let parsedBody: ParsedBody;
  const search = firstValues(url.searchParams);
  if (contract.auth === "management" || contract.auth === "session") {
    actor =
      contract.auth === "management" ? await authenticateRequest(credentials) : await authenticateSession(credentials);
    Object.assign(headers, takeToken("management", `${actor.kind}:${actor.id}`));
    const inQuery = contract.clientIn === "query" || search.client_id !== undefined;
    if (contract.client === "one" && inQuery) client = await resolveClient(actor, search.client_id);
    // A role belongs to a client. If only the body names the client, a role anywhere permits reading it.
    if (client) actor = actorAtClient(actor, client.id);
    requireContractRole(contract, client || contract.client !== "one" ? actor : withHighestRole(actor));
    parsedBody = await readBody(request, contract);
    if (contract.client === "one" && contract.clientIn === "query_or_body") {
      client = await clientOfBody(actor, parsedBody.value, client);
      actor = actorAtClient(actor, client.id);
      requireContractRole(contract, actor);
    }
  } else if (contract.auth === "public_key") {
    // The body names the client: until it's read, only the address can be rate-limited.
    const byteLimit = contract.accepts === "multipart" ? "upload_bytes" : "submission_bytes";
    parsedBody = await readBody(request, contract, (bytes) => takeBytes(byteLimit, networkOf(address), bytes));
    client = await resolvePublicClient(parsedBody.value, request.headers);
    if (contract.limit !== "none")
      Object.assign(headers, takeToken(contract.limit, `${client.id}|${networkOf(address)}`));
  } else {
    if (contract.limit !== "none") Object.assign(headers, takeToken(contract.limit, networkOf(address)));
    parsedBody = await readBody(request, contract);
  }
  // Links repeat known parameters, and nothing a caller added by mistake.
  const known = shapeOf(contract.query);
  for (const name of Object.keys(search)) if (!Object.hasOwn(known, name)) url.searchParams.delete(name);
  return { actor, client, search, parsedBody, url, headers: request.headers, method: request.method, address };
}

function requireContractRole(contract: Contract, actor: Actor): void {
  if (!hasRole(actor.role, contract.role) || !actor.scopes.includes(contract.scope))
    throw new AppError("forbidden", { reason: "role_or_key_forbids" });
}

/** The validated request for the handler. */
async function validateCall(
  contract: Contract,
  { readParams, readQuery }: { readParams: (pathname: string) => Record<string, string>; readQuery: QueryReader },
  validator: Validator | undefined,
  { search, parsedBody, ...authorized }: AuthorizedRequest,
): Promise<Omit<Call<Contract>, "client"> & { client: ClientRow | null }> {
  const named = readParams(authorized.url.pathname);
  const params = contract.params ? (validate(contract.params, named, "not_found") as Record<string, string>) : named;
  return {
    ...authorized,
    params,
    query: (contract.query
      ? validate(contract.query, readQuery(search, authorized.url.searchParams), "invalid_parameter")
      : {}) as never,
    body: (contract.body
      ? await validateBody(contract.body, parsedBody, authorized.client, params, validator)
      : undefined) as never,
  };
}

/** The client named in the body if the URL names none. If both name one, it must be the same. */
async function clientOfBody(actor: Actor, body: unknown, inQuery: ClientRow | null): Promise<ClientRow> {
  const { client_id: clientId } = (body !== null && typeof body === "object" ? body : {}) as { client_id?: unknown };
  const inBody = typeof clientId === "string" ? clientId : undefined;
  if (!inQuery) return resolveClient(actor, inBody);
  if (inBody !== undefined && inBody !== inQuery.id)
    throw new AppError("invalid_field", { reason: "other_client_in_body", field: "client_id" });
  return inQuery;
}

async function validateBody(
  schema: z.ZodType,
  parsedBody: ParsedBody,
  client: ClientRow | null,
  params: Record<string, string>,
  validator?: Validator,
): Promise<unknown> {
  try {
    return validate(schema, parsedBody.value, "invalid_field", parsedBody.issues);
  } catch (error) {
    if (!validator || !client || !(error instanceof AppError)) throw error;
    const found = await validator(client, parsedBody.value, params);
    const more = found.filter(({ field }) => !error.issues.some((issue) => issue.field === field));
    throw new AppError("invalid_field", { issues: [...error.issues, ...more] });
  }
}

/** The response to send, checked against its contract outside production. */
function toResponseParts<T>(contract: Contract, returned: HandlerResult<T>): ResponseParts {
  const reply = returned instanceof Reply ? returned : new Reply(returned);
  const status = reply.options.status ?? contract.status;
  const headers = { ...reply.options.headers };
  const value = reply.body;
  if (value === undefined || status === 204 || status === 304) return { status, headers, body: null };
  headers["Content-Type"] ??= contract.produces;
  if (value instanceof StreamedBody) return { status, headers, body: value.bytes };
  const body = value instanceof RawJson ? value.text : JSON.stringify(value);
  if (env().NODE_ENV !== "production" && headers["Content-Type"].startsWith("application/json"))
    checkResponse(contract, status, JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)));
  return { status, headers, body };
}

/** A response that violates the contract is a bug: it fails loudly in development and tests. */
function checkResponse(contract: Contract, status: number, value: unknown): void {
  const schema =
    contract.alternatives && status in contract.alternatives ? contract.alternatives[status] : contract.response;
  const result = schema?.safeParse(value);
  if (result && !result.success)
    throw new Error(`${contract.id} responded with something its contract doesn't allow: ${result.error.message}`);
}

/** Most issues reported together: a body of a megabyte must not cause a response of eleven. */
const MAX_ISSUES = 1_000;

/**
 * The error as shown to the caller. One that the contract doesn't list is a bug, and fails loudly in development and
 * tests.
 */
function toPublicError(error: unknown, contract: Contract): AppError {
  const unexpected = (cause: unknown) => new AppError("internal", { reason: "internal", cause });
  if (error instanceof AppError) {
    if (env().NODE_ENV === "production" || documentedErrorsOf(contract).some(({ code }) => code === error.code))
      return error;
    return unexpected(new Error(`${contract.id} failed with ${error.code}, which isn't in its contract.`));
  }
  if (isOutOfSpace(error)) return outOfSpaceError(error);
  if (isDatabaseUnavailable(error) || isSerializationFailure(error) || isLockTimeout(error))
    return new AppError("unavailable", { reason: "unavailable", cause: error });
  return unexpected(error);
}

function errorResponse(known: AppError, contract: Contract) {
  const status = httpStatusOf(known.code, contract);
  const errors = known.issues.slice(0, MAX_ISSUES).map((issue) => publicIssue(issue, known.code));
  const headers = status === 503 ? { "Retry-After": "2", ...known.headers } : known.headers;
  return { status, body: JSON.stringify({ errors }), headers };
}

function rejectNul(url: URL, contract: Contract): void {
  if (!url.href.includes("%00")) return;
  for (const [name, value] of url.searchParams) {
    if (!`${name}${value}`.includes("\0")) continue;
    // An unknown parameter's name may be anything: it isn't repeated.
    const field = Object.hasOwn(shapeOf(contract.query), name) ? name : undefined;
    throw new AppError("invalid_parameter", { reason: field ? "nul_character" : "query_holds_nul", field });
  }
  throw new AppError("not_found", { reason: "address_not_found" });
}

/** Reads the parameters of a path template with braces. A segment that doesn't decode doesn't match. */
function pathReader(path: string): (pathname: string) => Record<string, string> {
  if (!path.includes("{")) return () => ({});
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const shape = pathPattern(path);
  return (pathname) => {
    const found = shape.exec(pathname);
    if (!found) throw new AppError("not_found", { reason: "address_not_found" });
    try {
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] as string)]));
    } catch (cause) {
      throw new AppError("not_found", { reason: "address_not_found", cause });
    }
  };
}
