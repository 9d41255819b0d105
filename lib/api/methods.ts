import type { Handler } from "@/lib/api/route";
import { AppError, publicIssue } from "@/lib/platform/errors";

/**
 * The second argument comes from our server, which knows the socket, or from Next, whose `params` are unused: we read
 * them from the URL.
 */
type RequestHandler = (request: Request, context?: { address?: string; params?: unknown }) => Promise<Response>;

/** What a `route.ts` exports: a handler for every method, so that unsupported ones return 405 with `Allow`. */
export type Methods = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", RequestHandler>;

/**
 * Combines the endpoints of one path. HEAD follows GET; OPTIONS answers preflights if the endpoints are public; every
 * other method gets 405.
 */
export function methods(...handlers: Handler[]): Methods {
  const offered = new Map<string, RequestHandler>(handlers.map((handler) => [handler.contract.method, handler]));
  const get = offered.get("GET");
  if (get) offered.set("HEAD", get);
  const cors = handlers.some((handler) => handler.contract.cors);
  const allow = [...offered.keys(), "OPTIONS"].sort().join(", ");
  const options: RequestHandler = async () =>
    cors ? preflight(allow) : new Response(null, { status: 204, headers: { Allow: allow } });
  const rejectMethod: RequestHandler = async (request) => methodNotAllowed(request.method, allow, cors);
  const at = (method: string): RequestHandler => offered.get(method) ?? rejectMethod;
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

/** The response to a preflight, so that a page may send a request from another origin. */
const preflight = (allow: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      Allow: allow,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": allow,
      // `*` alone would do, but older browsers don't support it.
      "Access-Control-Allow-Headers": "Content-Type, *",
      "Access-Control-Max-Age": "86400",
    },
  });

/** The response to an unsupported method of a path; `allow` lists the supported ones. */
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
 * All methods of an unknown path below the API, so that a wrong path gets an API error. With `cors` (below the public
 * part) preflights are answered, so that a page can read the error: it can't send JSON without one.
 */
export function notFoundMethods({ cors = false }: { cors?: boolean } = {}): Methods {
  const headers: Record<string, string> = cors ? { "Access-Control-Allow-Origin": "*" } : {};
  const answer: RequestHandler = async () =>
    toErrorResponse(new AppError("not_found", { reason: "address_not_found" }), headers);
  const options: RequestHandler = cors ? async () => preflight("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS") : answer;
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: options };
}

/** A response with one error and nothing from the request. */
export const toErrorResponse = ({ code, issues, status }: AppError, headers: Record<string, string> = {}): Response =>
  Response.json({ errors: issues.map((issue) => publicIssue(issue, code)) }, { status, headers });
