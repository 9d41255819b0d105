import { AppError } from "@/lib/errors";
import type { Handler } from "@/lib/http/route";

/** The second argument is the fast server's, which knows the socket, or Next's, whose `params` we read from the URL anyway. */
type Plain = (request: Request, context?: { address?: string; params?: unknown }) => Promise<Response>;

/** What a `route.ts` exports: a handler for every method, so that the ones not offered answer 405 with `Allow`. */
export type Methods = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Plain>;

/**
 * Gathers the endpoints of one address. HEAD follows GET; OPTIONS answers preflights where the endpoints are public;
 * every other method is refused with 405.
 */
export function methods(...handlers: Handler[]): Methods {
  const offered = new Map<string, Plain>(handlers.map((handler) => [handler.contract.method, handler]));
  const get = offered.get("GET");
  if (get) offered.set("HEAD", get);
  const cors = handlers.some((handler) => handler.contract.cors);
  const allow = [...offered.keys(), "OPTIONS"].sort().join(", ");
  const options: Plain = async () =>
    new Response(null, {
      status: 204,
      headers: cors
        ? {
            Allow: allow,
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": allow,
            "Access-Control-Allow-Headers": "Content-Type",
            "Access-Control-Max-Age": "86400",
          }
        : { Allow: allow },
    });
  const refuse: Plain = async (request) => {
    const { code, message, status } = new AppError(
      "method_not_allowed",
      `${request.method} is not offered here; ${allow} are.`,
    );
    return Response.json(
      { errors: [{ code, message, field: null }] },
      { status, headers: { Allow: allow, ...(cors ? { "Access-Control-Allow-Origin": "*" } : {}) } },
    );
  };
  const at = (method: string): Plain => offered.get(method) ?? refuse;
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
