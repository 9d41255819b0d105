import type { Handler } from "@/lib/api/route";
import { AppError, publicIssue } from "@/lib/platform/errors";

/** The second argument is the fast server's, which knows the socket, or Next's, whose `params` we read from the URL anyway. */
type RequestHandler = (request: Request, context?: { address?: string; params?: unknown }) => Promise<Response>;

/** What a `route.ts` exports: a handler for every method, so that the ones not offered answer 405 with `Allow`. */
export type Methods = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RequestHandler>;

/**
 * Gathers the endpoints of one address. HEAD follows GET; OPTIONS answers preflights where the endpoints are public;
 * every other method is refused with 405.
 */
export function methods(...handlers: Handler[]): Methods {
  const offered = new Map<string, RequestHandler>(handlers.map((handler) => [handler.contract.method, handler]));
  const get = offered.get("GET");
  if (get) offered.set("HEAD", get);
  const cors = handlers.some((handler) => handler.contract.cors);
  const allow = [...offered.keys(), "OPTIONS"].sort().join(", ");
  const options: RequestHandler = async () =>
    cors ? preflight(allow) : new Response(null, { status: 204, headers: { Allow: allow } });
  const refuse: RequestHandler = async (request) => methodNotAllowed(request.method, allow, cors);
  const at = (method: string): RequestHandler => offered.get(method) ?? refuse;
  return {
    GET: at("GET"),
    HEAD: at("HEAD"),
    POST: at("POST"),
    PUT: at("PUT"),
    PATCH: at("PATCH"),
    DELETE: at("DELETE"),
    OPTIONS: options,
  };
}

/** What a browser wants to hear before a page may send a request from another origin. */
const preflight = (allow: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      Allow: allow,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": allow,
      // The star alone would do, but older browsers do not know it.
      "Access-Control-Allow-Headers": "Content-Type, *",
      "Access-Control-Max-Age": "86400",
    },
  });

/** The answer to a method that an address does not offer; `allow` names those it does. */
export function methodNotAllowed(method: string, allow: string, cors: boolean): Response {
  return toErrorResponse(
    new AppError("method_not_allowed", { reason: "method_not_offered", params: { method, allow } }),
    {
      Allow: allow,
      ...(cors ? { "Access-Control-Allow-Origin": "*" } : {}),
    },
  );
}

/**
 * All methods of an address below the API where nothing is, so that a wrong address is told as every other issue; `cors`
 * below the public part, so that a page can read it: preflights are answered there, since a page's JSON is never sent
 * without.
 */
export function notFoundMethods({ cors = false }: { cors?: boolean } = {}): Methods {
  const headers: Record<string, string> = cors ? { "Access-Control-Allow-Origin": "*" } : {};
  const answer: RequestHandler = async () =>
    toErrorResponse(new AppError("not_found", { reason: "address_not_found" }), headers);
  const options: RequestHandler = cors ? async () => preflight("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS") : answer;
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: options };
}

/** An answer that holds one error and nothing of a request. */
export const toErrorResponse = ({ code, issues, status }: AppError, headers: Record<string, string> = {}): Response =>
  Response.json({ errors: issues.map((issue) => publicIssue(issue, code)) }, { status, headers });
