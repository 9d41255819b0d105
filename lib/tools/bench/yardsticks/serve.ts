import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";
import { etagOf } from "@/lib/platform/http/etag";

// What both yardsticks stand on: bare node:http, one pool of the size Candor has, and nothing else. No key is checked,
// nothing is limited or logged: they do less than Candor and are its measure for that very reason.

/** Answers one address; the text or bytes of the answer, with status 200 unless another is given. */
export type YardstickHandler = (url: URL, request: IncomingMessage) => Promise<YardstickResult> | YardstickResult;
export type YardstickResult =
  | string
  | Buffer
  | { status: number; body: string | Buffer | null; headers?: Record<string, string> };

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
export const publicUrl = process.env.PUBLIC_URL ?? "";

/** Serves addresses by `METHOD /path`, or `METHOD /path/` for everything below it, until the process ends. */
export function serve(addresses: Record<string, YardstickHandler>): void {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const routeKey = `${request.method} ${url.pathname}`;
    const handle = addresses[routeKey] ?? addresses[routeKey.slice(0, routeKey.lastIndexOf("/") + 1)];
    try {
      const served = handle ? await handle(url, request) : { status: 404, body: null };
      const plain = typeof served === "string" || Buffer.isBuffer(served);
      const { status, body, headers } = plain ? { status: 200, body: served, headers: {} } : { headers: {}, ...served };
      response.writeHead(status, {
        "content-type": "application/json; charset=utf-8",
        ...(body === null ? {} : { "content-length": Buffer.byteLength(body) }),
        ...headers,
      });
      response.end(body);
    } catch (error) {
      process.stderr.write(`${(error as Error).stack}\n`);
      response.writeHead(500, { "content-length": 0 }).end();
    }
  });
  server.listen(Number(process.env.PORT), "127.0.0.1");
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** An answer with its entity tag, or 304 where the caller has it. */
export function withEtag(
  { headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  etag = etagOf(body),
): YardstickResult {
  return headers["if-none-match"] === etag
    ? { status: 304, body: null, headers: { etag } }
    : { status: 200, body, headers: { etag } };
}

/** A cursor of `/v1/reviews` as it travels: order, beginning of the pass, time and id of the last row. */
export const readCursor = (after: string): string[] => JSON.parse(Buffer.from(after, "base64url").toString("utf8"));
export const writeCursor = (parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");

/** `links.next` of a page. */
export function nextLink(url: URL, parts: unknown[]): string {
  const search = new URLSearchParams(url.search);
  search.set("after", writeCursor(parts));
  return `${publicUrl}${url.pathname}?${search}`;
}
