import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Actor } from "@/lib/auth/actor";
import { hasRole } from "@/lib/auth/actor";
import { authenticate, authenticateSession } from "@/lib/auth/authenticate";
import { resolveClient, resolvePublicClient } from "@/lib/auth/resolve-client";
import type { ClientRow } from "@/lib/clients/get-client";
import { isDatabaseAway, wasUndone } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { AppError, type Fault } from "@/lib/errors";
import { addressOf, networkOf } from "@/lib/http/address";
import { type Given, readBody } from "@/lib/http/body";
import type { Answer, Body, Contract, Params, Query } from "@/lib/http/contract";
import { takeToken } from "@/lib/http/rate-limit";
import { RawJson, Reply, type Returned } from "@/lib/http/reply";
import { validate } from "@/lib/http/validate";
import { log } from "@/lib/log";

/** What a handler gets: plain, checked values. `client` is set where the contract is about one client. */
export type Call<C extends Contract> = {
  actor: Actor;
  client: C["client"] extends "all" | "none" ? null : ClientRow;
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  /** the request's address with its query, for `links.next`; the credential `token` is left out */
  url: URL;
  headers: Headers;
  /** the caller's network address (TRUST_PROXY respected) */
  address: string;
};

export type Handler = ((request: Request, context?: { address?: string }) => Promise<Response>) & {
  contract: Contract;
};

/**
 * Faults that only the client's settings or stored rows tell. A handler finds them itself in a body of the right shape;
 * this is asked when the shape is wrong already, so that the caller learns all faults at once.
 */
export type Judge = (client: ClientRow, given: unknown) => Promise<Fault[]>;

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
 * The only way to an endpoint: request id → authenticate → rate limit → size-capped body → parse → handler → check of
 * the answer (outside production) → headers → log line. One catch, one mapper. Returns a fetch-style handler that our
 * server and Next's route files share.
 */
export function route<C extends Contract>(
  contract: C,
  handle: (call: Call<C>) => Promise<Returned<Answer<C>>> | Returned<Answer<C>>,
  judge?: Judge,
): Handler {
  const readParams = pathReader(contract.path);
  const handler = async (request: Request, context?: { address?: string }): Promise<Response> => {
    const started = performance.now();
    const requestId = randomUUID();
    const headers: Record<string, string> = { "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" };
    if (contract.cors) headers["Access-Control-Allow-Origin"] = "*";
    else headers["Cache-Control"] = "no-store";
    let status: number;
    let body: BodyInit | null;
    try {
      const url = new URL(request.url);
      const address = addressOf(request.headers, context?.address);
      refuseNul(url);
      const call = await admit(contract, readParams, judge, request, url, address, headers);
      const returned = await handle(call as Call<C>);
      const reply = returned instanceof Reply ? returned : new Reply(returned);
      status = reply.options.status ?? contract.status;
      Object.assign(headers, reply.options.headers);
      const type = headers["Content-Type"] ?? contract.produces;
      body = await bodyOf(contract, status, reply.body, type);
      if (body !== null) headers["Content-Type"] = type;
    } catch (error) {
      const refused = refusalOf(error, contract);
      status = refused.status;
      body = refused.body;
      Object.assign(headers, refused.headers, { "Content-Type": "application/json; charset=utf-8" });
      if (status >= 500) log.error({ err: error, request: requestId }, "request failed");
    }
    if (request.method === "HEAD") body = null;
    log.info({
      request: requestId,
      method: request.method,
      path: maskedPath(request.url),
      status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    });
    return new Response(body, { status, headers });
  };
  return Object.assign(handler, { contract });
}

/** Everything before the handler: who asks, how often, about which client, with what. */
async function admit(
  contract: Contract,
  readParams: (pathname: string) => Record<string, string>,
  judge: Judge | undefined,
  request: Request,
  url: URL,
  address: string,
  headers: Record<string, string>,
): Promise<Omit<Call<Contract>, "client"> & { client: ClientRow | null }> {
  const credentials = { headers: request.headers, url, method: request.method, address };
  let actor = visitor(address);
  let client: ClientRow | null = null;
  let given: Given;
  const search = searchOf(url);
  if (contract.auth === "management" || contract.auth === "session") {
    actor = contract.auth === "management" ? await authenticate(credentials) : await authenticateSession(credentials);
    Object.assign(headers, takeToken("management", `${actor.kind}:${actor.id}`));
    if (contract.client === "one") client = await resolveClient(actor, search.client_id);
    if (!hasRole(actor.role, contract.role) || !actor.scopes.includes(contract.scope)) {
      throw new AppError("forbidden", "Your role or key does not allow this.");
    }
    given = await readBody(request, contract);
  } else if (contract.auth === "public_key") {
    given = await readBody(request, contract);
    client = await resolvePublicClient(given.value, request.headers);
    if (contract.limit !== "none")
      Object.assign(headers, takeToken(contract.limit, `${client.id}|${networkOf(address)}`));
  } else {
    if (contract.limit !== "none") Object.assign(headers, takeToken(contract.limit, networkOf(address)));
    given = await readBody(request, contract);
  }
  if (search.token !== undefined) url.searchParams.delete("token");
  const params = readParams(url.pathname);
  return {
    actor,
    client,
    params: contract.params ? (validate(contract.params, params, "not_found") as Record<string, string>) : params,
    query: (contract.query ? validate(contract.query, search, "invalid_parameter") : {}) as never,
    body: (contract.body ? await checkedBody(contract.body, given, client, judge) : undefined) as never,
    url,
    headers: request.headers,
    address,
  };
}

async function checkedBody(schema: z.ZodType, given: Given, client: ClientRow | null, judge?: Judge): Promise<unknown> {
  try {
    return validate(schema, given.value, "invalid_field", given.faults);
  } catch (error) {
    if (!judge || !client || !(error instanceof AppError)) throw error;
    const found = await judge(client, given.value);
    const more = found.filter(({ field }) => !error.faults.some((fault) => fault.field === field));
    throw new AppError("invalid_field", error.message, { faults: [...error.faults, ...more] });
  }
}

async function bodyOf(contract: Contract, status: number, value: unknown, type: string): Promise<BodyInit | null> {
  if (value === undefined || status === 204 || status === 304) return null;
  if (value instanceof RawJson) {
    if (env().NODE_ENV !== "production" && type.startsWith("application/json")) {
      checkAnswer(
        contract,
        status,
        JSON.parse(typeof value.text === "string" ? value.text : new TextDecoder().decode(value.text)),
      );
    }
    return value.text;
  }
  if (env().NODE_ENV !== "production") checkAnswer(contract, status, value);
  return JSON.stringify(value);
}

/** A wrong answer is our fault: it fails loudly where we can still mend it. */
function checkAnswer(contract: Contract, status: number, value: unknown): void {
  const schema =
    contract.alternatives && status in contract.alternatives ? contract.alternatives[status] : contract.response;
  const checked = schema?.safeParse(JSON.parse(JSON.stringify(value)));
  if (checked && !checked.success)
    throw new Error(`${contract.id} answers what its contract does not allow: ${checked.error.message}`);
}

/** All faults are told at once, up to a number that nobody reads: a megabyte of them must not be answered with eleven. */
const MOST_FAULTS = 1_000;

function refusalOf(
  error: unknown,
  contract: Contract,
): { status: number; body: string; headers: Record<string, string> } {
  const known =
    error instanceof AppError
      ? error
      : isDatabaseAway(error) || wasUndone(error)
        ? new AppError("unavailable", "The service is not available right now. Try again shortly.")
        : new AppError("internal", "Something went wrong on our side.");
  // Public submissions answer 406 for invalid fields, as their interface documents.
  const isPublic = contract.auth === "public" || contract.auth === "public_key";
  const status = known.code === "invalid_field" && isPublic ? 406 : known.status;
  const errors = known.faults.slice(0, MOST_FAULTS).map((fault) => ({
    code: fault.code ?? known.code,
    message: sentence(fault.message, fault.field),
    field: fault.field,
  }));
  const headers = status === 503 ? { "Retry-After": "2", ...known.headers } : known.headers;
  return { status, body: JSON.stringify({ errors }), headers };
}

/** Faults are phrased to follow the field's name: "must be a date" becomes a sentence of its own. */
const sentence = (message: string, field: string | null): string =>
  /^[a-z]/.test(message) ? `${field ?? "The body"} ${message}${/[.!?]$/.test(message) ? "" : "."}` : message;

function searchOf(url: URL): Record<string, string> {
  const search: Record<string, string> = {};
  for (const [name, value] of url.searchParams) search[name] ??= value;
  return search;
}

function refuseNul(url: URL): void {
  if (!url.href.includes("%00")) return;
  for (const [name, value] of url.searchParams) {
    if (`${name}${value}`.includes("\0"))
      throw new AppError("invalid_parameter", "must not hold the character NUL", { field: name.replaceAll("\0", "") });
  }
  throw new AppError("not_found", "There is nothing at this address.");
}

/** Reads the parameters of a path written with braces. A segment that does not decode is a miss. */
function pathReader(path: string): (pathname: string) => Record<string, string> {
  if (!path.includes("{")) return () => ({});
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  const shape = new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "([^/]+)")}$`);
  return (pathname) => {
    const found = shape.exec(pathname);
    if (!found) throw new AppError("not_found", "There is nothing at this address.");
    try {
      return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] as string)]));
    } catch (cause) {
      throw new AppError("not_found", "There is nothing at this address.", { cause });
    }
  };
}

/** `q` is what somebody searches the portal for: often an address or a customer's id. */
const secretParameters = new Set([
  "token",
  "email",
  "customer_email",
  "customer_id",
  "api_key",
  "q",
  "signature",
  "voter_id",
]);

/** Path and query for the log: values that tell who somebody is, or let somebody in, are masked. */
function maskedPath(address: string): string {
  const url = new URL(address);
  for (const name of [...url.searchParams.keys()]) if (secretParameters.has(name)) url.searchParams.set(name, "***");
  return maskedSegments(url.pathname) + url.search;
}

/** Links that let somebody in by themselves (invitation, opt-out, feedback, signed images) are cut short. */
const maskedSegments = (pathname: string): string =>
  pathname.replace(/^(\/(?:r|o|collect\/feedback|images)\/)([^/]{4})[^/]*/, "$1$2…");
