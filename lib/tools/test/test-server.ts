import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Methods } from "@/lib/api/methods";
import { createServer, type ServedRoute } from "@/lib/api/server";

/** A way to reach the endpoints. */
export type Transport = { name: string; open: () => Promise<OpenTransport> };
export type OpenTransport = { methodsOf: (route: ServedRoute) => Methods; close: () => Promise<unknown> };

/** The handlers that the route files export, called as functions. */
export const handlerTransport: Transport = {
  name: "exported handlers",
  open: async () => ({ methodsOf: ({ methods }) => methods, close: async () => {} }),
};

/** Our own server, in this process, over the wire. */
export const serverTransport = (routes: ServedRoute[]): Transport => ({
  name: "the server",
  open: async () => {
    const { methods, close } = await serve(routes);
    return { methodsOf: () => methods, close };
  },
});

/** Serves routes with the real server on a free port; a path that is none of them answers 299 with its own text. */
export async function serve(routes: ServedRoute[], isOpen?: () => boolean) {
  const page = (request: http.IncomingMessage, response: http.ServerResponse) => {
    response.writeHead(299, { "Content-Type": "text/plain" }).end(request.url);
  };
  const server = createServer(routes, page, isOpen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Handlers that send what they are given over the wire, as it is. */
    methods: httpMethods(port),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends one request, of any method, and answers what came back. */
export async function send(port: number, request: Request, method = request.method): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  // A connection each: one that announced more than it sent is closed by the server after a while.
  const to = { port, host: "127.0.0.1", agent: false, method, path: pathname + search, headers };
  const { status, bytes, ...answer } = await exchangeWithRetry(to, body);
  return new Response(bytes.length > 0 ? bytes : null, {
    status,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
}

/** A connection over which too much is sent is closed, on a busy machine before the refusal was read: asked again. */
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

/** Handlers of all addresses that send what they are given to a port of this machine, as it is. */
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
