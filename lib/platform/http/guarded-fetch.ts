import { lookup as resolveName } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";

// The server fetches URLs that users enter (feeds, webhooks, integrations), and may be inside a network that they must
// not reach (SSRF). So each name is resolved once, all its addresses are validated, and the connection uses only these:
// a different DNS response later has no effect.

type Network = {
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  allows: (address: string) => boolean;
};

export type GuardedRequest = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** maximum bytes of the response body as transferred; beyond it the body fails with `too_large` */
  maxBytes?: number;
  /** milliseconds without data from the server */
  idleTimeout?: number;
  /** milliseconds in total, with redirects and body */
  timeout?: number;
  /** 0 for calls that must not be repeated elsewhere; returns the redirect as the response */
  maxRedirects?: number;
  /** called once connected: before that nothing of the request was sent */
  onConnect?: () => void;
  /** name resolution and allowed addresses, for tests and for addresses that the operator sets */
  network?: Partial<Network>;
};

export type GuardedResponse = {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** URL of the response after redirects, without credentials */
  url: string;
  /** as transferred (a `content-encoding` isn't decoded); must be read or destroyed */
  body: AsyncIterable<Uint8Array> & { destroy: () => void };
};

const MINUTE = 60_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a URL that a user entered, unless it leads to an internal network: loopback, private, link-local and every
 * other non-public range, in IPv4 and IPv6, also mapped or embedded, for the first URL and up to five redirects.
 * ALLOW_PRIVATE_URLS permits them. Rejects a name if any of its addresses is internal.
 *
 * Returns responses with any HTTP status. Throws AppError `invalid_field` (field `url`) for a forbidden URL,
 * `unavailable` if the connection fails or breaks, `too_large` beyond `maxBytes`.
 */
export async function guardedFetch(address: string, request: GuardedRequest = {}): Promise<GuardedResponse> {
  const network: Network = {
    resolve: (host) => resolveName(host, { all: true }),
    allows: (ip) => isPublicAddress(ip) || env().ALLOW_PRIVATE_URLS,
    ...request.network,
  };
  const signal = AbortSignal.timeout(request.timeout ?? MINUTE);
  let headers = lowerCaseNames(request.headers ?? {});
  let { method = "GET", body } = request;
  let url = parseAddress(address);
  for (let redirects = 0; ; redirects++) {
    if (url.username || url.password) {
      const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
      headers = { ...headers, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
      url.username = "";
      url.password = "";
    }
    const answer = await call(url, { ...request, method, headers, body }, network, signal);
    const status = answer.statusCode!;
    const location = REDIRECTS.has(status) ? answer.headers.location : undefined;
    if (!location || request.maxRedirects === 0) {
      return { status, headers: answer.headers, url: url.href, body: limitBody(answer, url, request.maxBytes, signal) };
    }
    answer.destroy();
    if (redirects >= (request.maxRedirects ?? 5))
      throw invalidUrlError("too_many_redirects", { address: displayUrl(url) });
    const next = parseAddress(location, url);
    if (next.origin !== url.origin) headers = withoutSecrets(headers);
    if (status === 303 || ((status === 301 || status === 302) && method === "POST")) {
      method = "GET";
      body = undefined;
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("content-")));
    }
    url = next;
  }
}

/**
 * Validates a URL that will be called later: it must be https and not lead to an internal network, unless
 * ALLOW_PRIVATE_URLS. Accepts a name that isn't found now, since each call validates again. Throws AppError
 * `invalid_field` at `field`.
 */
export async function rejectInternalAddress(
  address: string,
  field: string,
  network: Partial<Network> = {},
): Promise<void> {
  const url = parseAddress(address);
  const open = env().ALLOW_PRIVATE_URLS;
  if (url.protocol !== "https:" && !open) throw new AppError("invalid_field", { reason: "not_https", field });
  const allows = network.allows ?? ((ip: string) => isPublicAddress(ip) || open);
  const resolve = network.resolve ?? ((host: string) => resolveName(host, { all: true }));
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = ipaddr.isValid(host) ? [{ address: host }] : await resolve(host).catch(() => []);
  if (!found.every(({ address: ip }) => allows(ip)))
    throw new AppError("invalid_field", { reason: "internal_network", field });
}

/** Whether an IP address (IPv4, IPv6, or IPv4 inside IPv6) is public. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  let ip = ipaddr.process(address); // turns ::ffff:10.0.0.1 into 10.0.0.1
  if (ip instanceof ipaddr.IPv6 && ip.range() === "rfc6052") ip = new ipaddr.IPv4(ip.toByteArray().slice(12)); // NAT64
  if (ip instanceof ipaddr.IPv6 && ip.match(compatible, 96)) return false;
  if (ip.toString() === AZURE_HOST) return false;
  return ip.range() === "unicast";
}

/** In a public range, but Azure's machines reach host services there, including metadata and keys. */
const AZURE_HOST = "168.63.129.16";

/** IPv4-compatible IPv6 addresses such as ::10.0.0.1, a deprecated form; none is public. */
const compatible = ipaddr.IPv6.parse("::");

function parseAddress(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw invalidUrlError("no_address");
  const url = new URL(address, base?.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw invalidUrlError("not_http");
  if (!isDecodable(url.username + url.password)) throw invalidUrlError("invalid_address_credentials");
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false; // invalid percent-encoding
  }
}

function call(url: URL, request: GuardedRequest, network: Network, signal: AbortSignal): Promise<http.IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A literal address is connected to without a lookup, so it is validated here.
  if (ipaddr.isValid(host) && !network.allows(host)) return Promise.reject(internalAddressError(url));
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(networkError(error, url, signal));
    const idle = request.idleTimeout ?? MINUTE / 2;
    const sent = (url.protocol === "https:" ? https : http).request(
      url,
      {
        method: request.method,
        headers: { "user-agent": "Candor/1", accept: "*/*", ...request.headers },
        agent: false, // a reused connection would skip the lookup and its validation
        lookup: validatedLookup(url, network),
        timeout: idle,
        signal,
      },
      resolve,
    );
    sent.on("socket", (socket) => {
      if (socket.connecting) socket.once("connect", () => request.onConnect?.());
      else request.onConnect?.();
    });
    sent.on("timeout", () =>
      sent.destroy(new AppError("unavailable", { reason: "no_answer_in_time", params: { address: displayUrl(url) } })),
    );
    sent.on("error", fail);
    sent.end(request.body);
  });
}

/** Resolves a name to its validated addresses; Node connects to exactly these. */
function validatedLookup(url: URL, network: Network): LookupFunction {
  return (host, options, done) => {
    const validated = async () => {
      const found = await network.resolve(host);
      if (found.length === 0)
        throw new AppError("unavailable", { reason: "host_without_address", params: { address: host } });
      if (!found.every(({ address }) => network.allows(address))) throw internalAddressError(url);
      return found;
    };
    validated().then(
      (found) => (options.all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
      (error) => done(error, "", 0),
    );
  };
}

function limitBody(
  answer: http.IncomingMessage,
  url: URL,
  maxBytes = 10 * 1024 * 1024,
  signal: AbortSignal,
): GuardedResponse["body"] {
  async function* pieces() {
    let bytes = 0;
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        bytes += piece.length;
        if (bytes > maxBytes)
          throw new AppError("too_large", {
            reason: "answer_too_large",
            params: { address: displayUrl(url), max: maxBytes },
          });
        yield piece;
      }
    } catch (error) {
      throw networkError(error, url, signal);
    } finally {
      answer.destroy();
    }
  }
  // If the body isn't read to the end, the connection is closed and its error has a listener.
  answer.on("error", () => {});
  return Object.assign(pieces(), { destroy: () => void answer.destroy() });
}

function networkError(error: unknown, url: URL, signal: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (signal.aborted)
    return new AppError("unavailable", {
      reason: "fetch_too_slow",
      params: { address: displayUrl(url) },
      cause: error,
    });
  const { code } = (error ?? {}) as { code?: string };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new AppError("unavailable", { reason: "name_not_found", params: { name: url.hostname }, cause: error });
  }
  return new AppError("unavailable", {
    reason: "connection_failed",
    params: { address: displayUrl(url) },
    cause: error,
  });
}

const invalidUrlError = (reason: Reason, params?: Params) =>
  new AppError("invalid_field", { reason, params, field: "url" });
const internalAddressError = (url: URL) => invalidUrlError("fetch_internal_network", { name: url.hostname });

/** A URL that may be shown or logged, without query and credentials, which are often secrets. */
export const displayUrl = (url: URL): string => `${url.origin}${url.pathname}`;

const lowerCaseNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Removes headers that could identify the caller, for another origin. */
const withoutSecrets = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(accept|user-agent|content-|if-)/.test(name)));
