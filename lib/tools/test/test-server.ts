import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Methods } from "@/lib/api/methods";
import { createServer, type ServedRoute } from "@/lib/api/server";

/** A way to call the endpoints. */
export type Transport = { name: string; open: () => Promise<OpenTransport> };
export type OpenTransport = { methodsOf: (route: ServedRoute) => Methods; close: () => Promise<unknown> };

/** The handlers that the route files export, called as functions. */
export const handlerTransport: Transport = {
  name: "exported handlers",
  open: async () => ({ methodsOf: ({ methods }) => methods, close: async () => {} }),
};

/** The real server in this process, over the network. */
export const serverTransport = (routes: ServedRoute[]): Transport => ({
  name: "the server",
  open: async () => {
    const { methods, close } = await serve(routes);
    return { methodsOf: () => methods, close };
  },
});

/** Serves routes with the real server on a free port; other paths return 299 with their own text. */
export async function serve(routes: ServedRoute[], isOpen?: () => boolean) {
  const page = (request: http.IncomingMessage, response: http.ServerResponse) => {
    response.writeHead(299, { "Content-Type": "text/plain" }).end(request.url);
  };
  const server = createServer(routes, page, isOpen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Handlers that forward their request over the network unchanged. */
    methods: httpMethods(port),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends one request with any method and returns the response. */
export async function send(port: number, request: Request, method = request.method): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  // A connection per request: the server closes one that announced more bytes than it sent.
  const to = { port, host: "127.0.0.1", agent: false, method, path: pathname + search, headers };
  const { status, bytes, ...answer } = await exchangeWithRetry(to, body);
  return new Response(bytes.length > 0 ? bytes : null, {
    status,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
}

/**
 * The server closes a connection with too large a body, on a busy machine before the error response was read: retries
 * then.
 */
async function exchangeWithRetry(to: http.RequestOptions, body: Buffer, attemptsLeft = 6): ReturnType<typeof exchange> {
  try {
    return await exchange(to, body);
  } catch (error) {
    const closed = ["EPIPE", "ECONNRESET"].includes((error as NodeJS.ErrnoException).code ?? "");
    if (attemptsLeft === 1 || !closed || body.length < 1024 * 1024) throw error;
    await sleep(50);
    return exchangeWithRetry(to, body, attemptsLeft - 1);
  }
}

async function exchange(to: http.RequestOptions, body: Buffer) {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = http.request(to, resolve);
    sent.on("error", reject);
    sent.end(body.length > 0 ? body : undefined);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

/** Handlers of all paths that forward their request to a port of this machine unchanged. */
export function httpMethods(port: number): Methods {
  const handler = (request: Request) => send(port, request);
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  };
}
