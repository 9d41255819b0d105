import http from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { AppError } from "@/lib/errors";
import { ADDRESS_HEADER, addressOf, networkOf } from "@/lib/http/address";
import { isMisplacedCredential, withoutCredentials } from "@/lib/http/masked-path";
import { type Methods, notOffered, refusal } from "@/lib/http/methods";
import { pageBodyRefusal, pagePaceRefusal } from "@/lib/http/page-body";
import { newPolicy, POLICY_HEADER } from "@/lib/http/page-headers";
import { log } from "@/lib/log";

/** One address of the API: its path (parameters in braces) and what its `route.ts` exports. */
export type ServedRoute = { path: string; methods: Methods };

type Page = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;
type Found = { route: ServedRoute } | null;

/**
 * The small fast server: addresses of the API go straight to their fetch-style handlers, everything else to `page`
 * (Next). Next's own dispatch costs about a millisecond a request, many times what these handlers need. While `isOpen`
 * says no, everything but the question after its health is answered by 503.
 */
export function createServer(routes: ServedRoute[], page: Page, isOpen = (): boolean => true): http.Server {
  const find = matcher(routes);
  // Replaces global Request and Response with light ones; made after Next is prepared.
  const api = getRequestListener(
    async (request, { incoming }) => {
      const found = find(pathOf((incoming as http.IncomingMessage).url ?? "/"));
      if (!found) return new Response(null, { status: 404 });
      const context = { address: (incoming as http.IncomingMessage).socket.remoteAddress };
      const { methods } = found.route;
      const method = methods[request.method as keyof Methods];
      if (typeof method === "function") return method(request, context);
      // PROPFIND and the like, which no route file can export.
      const { headers } = await methods.OPTIONS(request, context);
      return notOffered(request.method, headers.get("allow") ?? "", headers.has("access-control-allow-origin"));
    },
    {
      overrideGlobalObjects: true,
      errorHandler: (error) => {
        // A Host header that is missing or is none: the address that was asked for cannot be told.
        if (error instanceof RequestError)
          return refusal(new AppError("invalid_parameter", "The Host header or the address is not valid."));
        log.error({ err: error }, "the server could not answer");
        return refusal(new AppError("internal", "Something went wrong on our side."));
      },
    },
  );
  const server = http.createServer({ keepAliveTimeout: 65_000, requestTimeout: 60_000 }, (request, response) => {
    const path = pathOf(request.url ?? "/");
    const found = find(path);
    if (path !== HEALTH && !isOpen()) return sayNotYet(response, found !== null);
    if (found) return void api(request, response);
    // What does not decode names nothing; Next would call it a failure of its own, and repeat a credential.
    if (!decodes(path) || isMisplacedCredential(path)) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" });
      return void response.end("There is nothing at this address.\n");
    }
    const address = () => addressOf(new Headers(plain(request.headers)), request.socket.remoteAddress ?? "");
    const refused =
      pageBodyRefusal(path, request.headers) ??
      pagePaceRefusal(path, () => networkOf(address()), request.headers["content-length"]);
    if (refused) {
      const headers = { "Content-Type": "text/plain; charset=utf-8", Connection: "close", ...refused.headers };
      response.writeHead(refused.status, headers);
      return void response.end(`${refused.message}\n`);
    }
    // Next cannot see the socket: tell it whose request this is, and let nobody else tell it.
    request.headers[ADDRESS_HEADER] = address();
    const policy = newPolicy();
    request.headers[POLICY_HEADER] = policy;
    response.setHeader(POLICY_HEADER, policy);
    request.url = withoutCredentials(request.url ?? "/");
    return void page(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) socket.end(unreadAnswer(error.code));
  });
  return server;
}

const HEALTH = "/api/health";

/** Answers whoever asks before there is anything to answer from: an address of the API, or a page. */
function sayNotYet(response: http.ServerResponse, api: boolean): void {
  const message = "The service is not ready yet: its database does not answer.";
  response.writeHead(503, {
    "Content-Type": api ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-store",
    Connection: "close",
    "Retry-After": "2",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(api ? JSON.stringify({ errors: [{ code: "unavailable", message, field: null }] }) : `${message}\n`);
}

/** The answer to a request that could not be read to the end of its head: written by hand, since there is no response. */
function unreadAnswer(code: string | undefined): string {
  const [status, error, message] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "too_large", "The address and headers must be at most 16 KiB together."]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "invalid_parameter", "The request did not arrive in time."]
        : ["400 Bad Request", "invalid_parameter", "The request is not valid HTTP."];
  const body = JSON.stringify({ errors: [{ code: error, message, field: null }] });
  return [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json; charset=utf-8",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

const pathOf = (url: string): string => {
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
};

function decodes(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

const plain = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/** Plain paths by table; those with parameters by their segments, fewest parameters first. */
function matcher(routes: ServedRoute[]): (path: string) => Found {
  const fixed = new Map(routes.filter(({ path }) => !path.includes("{")).map((route) => [route.path, { route }]));
  const shaped = routes
    .filter(({ path }) => path.includes("{"))
    .map((route) => ({
      found: { route },
      shape: new RegExp(`^${route.path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  return (path) => fixed.get(path) ?? shaped.find(({ shape }) => shape.test(path))?.found ?? null;
}
