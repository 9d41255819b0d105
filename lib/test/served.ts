import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Methods } from "@/lib/http/methods";
import { createServer, type ServedRoute } from "@/lib/http/server";

/** Serves routes with the real server on a free port; a path that is none of them answers 299 with its own text. */
export async function serve(routes: ServedRoute[]) {
  const server = createServer(routes, (request, response) => {
    response.writeHead(299, { "Content-Type": "text/plain" }).end(request.url);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Handlers that send what they are given over the wire, as it is. */
    methods: overTheWire(port),
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
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    // A connection each: one that announced more than it sent is closed by the server after a while.
    const to = { port, host: "127.0.0.1", agent: false, method, path: pathname + search, headers };
    const sent = http.request(to, resolve);
    sent.on("error", reject);
    sent.end(body.length > 0 ? body : undefined);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const status = answer.statusCode ?? 0;
  return new Response(bytes.length > 0 ? bytes : null, {
    status,
    headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]),
  });
}

function overTheWire(port: number): Methods {
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
