import http from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Methods, methodNotAllowed, toErrorResponse } from "@/lib/api/methods";
import { env } from "@/lib/platform/env";
import { AppError, publicIssue } from "@/lib/platform/errors";
import { ADDRESS_HEADER, ipAddressOf, networkOf } from "@/lib/platform/http/address";
import { limitMultipart } from "@/lib/platform/http/limit-multipart";
import { isMisplacedCredential, withoutCredentials } from "@/lib/platform/http/masked-path";
import { checkPageBody, checkPageRate } from "@/lib/platform/http/page-body";
import { newPolicy, POLICY_HEADER } from "@/lib/platform/http/page-headers";
import { withPageResponse } from "@/lib/platform/http/page-response";
import { pathPattern } from "@/lib/platform/http/path-pattern";
import { englishReason } from "@/lib/platform/i18n/english-errors";
import type { ErrorCode, Reason } from "@/lib/platform/issue";
import { log } from "@/lib/platform/log";

/** A path of the API (parameters in braces) and what its `route.ts` exports. */
export type ServedRoute = { path: string; methods: Methods };

type Page = (request: http.IncomingMessage, response: http.ServerResponse) => unknown;
type Upgrade = (request: http.IncomingMessage, socket: Duplex, head: Buffer) => unknown;
type Served = { answer: (request: http.IncomingMessage, response: http.ServerResponse) => unknown };

/**
 * The HTTP server: API paths go straight to their fetch-style handlers, everything else to `page` (Next), whose
 * dispatch costs about a millisecond per request, many times what these handlers need. While `isOpen` returns false,
 * everything except health checks gets 503. Without `upgrade` (only development needs it, for Next's reloading) a
 * request for a protocol upgrade is answered like any other, and its connection closed.
 */
export function createServer(
  routes: ServedRoute[],
  page: Page,
  isOpen = (): boolean => true,
  upgrade: Upgrade | null = null,
): http.Server {
  const find = matcher(routes);
  const isHttps = env().PUBLIC_URL.startsWith("https:");
  const options: http.ServerOptions = {
    keepAliveTimeout: 65_000,
    requestTimeout: 60_000,
    // Next adds a listener itself, which leaves connections open forever.
    shouldUpgradeCallback: () => upgrade !== null,
  };
  const server = http.createServer(options, (request, response) => {
    if (request.headers.upgrade !== undefined) response.setHeader("Connection", "close");
    // Without includeSubDomains: other hosts of the merchant's domain aren't ours to decide about.
    if (isHttps) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    if (request.method === "OPTIONS" && request.url === "*") {
      response.writeHead(204, { Allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" });
      return void response.end();
    }
    if (!readTarget(request)) return earlyResponse(response, true, invalidTarget);
    const path = pathOf(request.url ?? "/");
    const found = find(path);
    // Neither our handlers nor Next can parse such a URL: they would report an internal error.
    if (!isHost(request.headers.host)) return earlyResponse(response, found !== null, invalidHost);
    if (!HEALTH.has(path) && !isOpen()) return earlyResponse(response, found !== null, notReady);
    if (found) return void found.answer(request, response);
    // An undecodable path matches nothing; Next would report an internal error, and log the credential.
    if (!isDecodable(path) || isMisplacedCredential(path)) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" });
      return void response.end("Nothing was found at this URL. Check the path.\n");
    }
    const address = () => ipAddressOf(new Headers(plain(request.headers)), request.socket.remoteAddress ?? "");
    const rejection =
      checkPageBody(path, request.headers) ??
      checkPageRate(path, () => networkOf(address()), request.headers["content-length"]);
    if (rejection) {
      const headers = { "Content-Type": "text/plain; charset=utf-8", Connection: "close", ...rejection.headers };
      response.writeHead(rejection.status, headers);
      return void response.end(`${englishReason(rejection.reason, rejection.params)}\n`);
    }
    // Next can't see the socket: pass the caller's address in a header that callers can't set themselves.
    request.headers[ADDRESS_HEADER] = address();
    limitMultipart(request);
    if (path.startsWith(SIGN_IN) && !env().TRUST_PROXY) ignoreForwardedHost(request.headers);
    const policy = newPolicy();
    request.headers[POLICY_HEADER] = policy;
    response.setHeader(POLICY_HEADER, policy);
    request.url = withoutCredentials(request.url ?? "/");
    return void withPageResponse(response, () => page(request, response));
  });
  if (upgrade) server.on("upgrade", upgrade);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable) socket.end(malformedRequestResponse(error.code));
  });
  return server;
}

/**
 * Answers requests to one path. The listener replaces the global Request and Response with lighter ones, so create it
 * after Next is prepared.
 */
const served = ({ methods }: ServedRoute): Served => ({
  answer: getRequestListener(
    async (request, { incoming }) => {
      const context = { address: (incoming as http.IncomingMessage).socket.remoteAddress };
      const method = methods[request.method as keyof Methods];
      if (typeof method === "function") return method(request, context);
      // PROPFIND and the like, which no route file can export.
      const { headers } = await methods.OPTIONS(request, context);
      return methodNotAllowed(request.method, headers.get("allow") ?? "", headers.has("access-control-allow-origin"));
    },
    {
      overrideGlobalObjects: true,
      errorHandler: (error) => {
        // A missing or invalid Host header: the request's URL can't be determined.
        if (error instanceof RequestError)
          return toErrorResponse(new AppError("invalid_parameter", { reason: invalidHost.reason }));
        log.error({ err: error }, "the server could not respond");
        return toErrorResponse(new AppError("internal", { reason: "internal" }));
      },
    },
  ),
});

const HEALTH = new Set(["/api/health", "/api/health/live", "/api/health/ready"]);

/** next-auth's own paths. */
const SIGN_IN = "/api/auth/";

/**
 * next-auth trusts X-Forwarded-Host, from any sender, for its own address and redirects. The header is moved to another
 * name, by which the demo still detects a proxy.
 */
function ignoreForwardedHost(headers: http.IncomingHttpHeaders): void {
  const host = headers["x-forwarded-host"];
  if (host === undefined) return;
  headers["x-forwarded-server"] ??= host;
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
}

/** A response sent before the request is routed. */
type Early = { status: number; code: ErrorCode; reason: Reason; headers?: http.OutgoingHttpHeaders };

const invalidHost: Early = {
  status: 400,
  code: "invalid_parameter",
  reason: "invalid_host",
};

const invalidTarget: Early = {
  status: 400,
  code: "invalid_parameter",
  reason: "no_path",
};

const notReady: Early = {
  status: 503,
  code: "unavailable",
  reason: "not_ready",
  headers: { "Retry-After": "2" },
};

function earlyResponse(response: http.ServerResponse, api: boolean, { status, code, reason, headers }: Early): void {
  const error = publicIssue({ code, reason, field: null }, code);
  response.writeHead(status, {
    "Content-Type": api ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-store",
    Connection: "close",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  });
  response.end(api ? JSON.stringify({ errors: [error] }) : `${error.message}\n`);
}

/**
 * Converts a request for an absolute URL (`GET http://host/path`), which every server must accept, to its path and
 * host. Returns false if there is no path.
 */
function readTarget(request: http.IncomingMessage): boolean {
  const { url = "" } = request;
  if (url.startsWith("/")) return true;
  const [origin, host] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? [];
  if (origin === undefined || host === undefined) return false;
  const rest = url.slice(origin.length);
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = host;
  return true;
}

/** The last valid Host: nearly every request has the same. */
let lastHost = "";

/** Whether a Host header is valid in a URL: `999.1.1.1` looks valid and isn't. A missing one is allowed. */
function isHost(host = ""): boolean {
  if (host === "" || host === lastHost) return true;
  if (/[/?#@\\]/.test(host) || !URL.canParse(`http://${host}`)) return false;
  lastHost = host;
  return true;
}

/** The response to a request whose head can't be parsed, as raw bytes, since there is no response object. */
function malformedRequestResponse(code: string | undefined): string {
  const [status, error, reason]: [string, ErrorCode, Reason] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "too_large", "head_too_large"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "invalid_parameter", "request_timed_out"]
        : ["400 Bad Request", "invalid_parameter", "invalid_http"];
  const body = JSON.stringify({ errors: [publicIssue({ reason, field: null }, error)] });
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

function isDecodable(path: string): boolean {
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
function matcher(routes: ServedRoute[]): (path: string) => Served | null {
  const fixed = new Map(routes.filter(({ path }) => !path.includes("{")).map((route) => [route.path, served(route)]));
  const shaped = routes
    .filter(({ path }) => path.includes("{"))
    .map((route) => ({ found: served(route), shape: pathPattern(route.path) }));
  return (path) => fixed.get(path) ?? shaped.find(({ shape }) => shape.test(path))?.found ?? null;
}
