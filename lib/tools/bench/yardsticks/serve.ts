import { createServer, type IncomingMessage } from "node:http";
import pg from "pg";
import { etagOf } from "@/lib/platform/http/etag";

// The base of both yardsticks: bare node:http and one pool of Candor's size. No key check, rate limit or log: they do
// less than Candor on purpose.

/** Handles one path. Returns the response's text or bytes, with status 200 unless it sets another. */
export type YardstickHandler = (url: URL, request: IncomingMessage) => Promise<YardstickResult> | YardstickResult;
export type YardstickResult =
  | string
  | Buffer
  | { status: number; body: string | Buffer | null; headers?: Record<string, string> };

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
export const publicUrl = process.env.PUBLIC_URL ?? "";

/** Serves routes by `METHOD /path`, or `METHOD /path/` for everything below it, until the process ends. */
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

/** A response with its entity tag, or 304 if the caller has that version. */
export function withEtag(
  { headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  etag = etagOf(body),
): YardstickResult {
  return headers["if-none-match"] === etag
    ? { status: 304, body: null, headers: { etag } }
    : { status: 200, body, headers: { etag } };
}

/** Decodes a cursor of `/v1/reviews`: order, start of the pass, time and id of the last row. */
export const readCursor = (after: string): string[] => JSON.parse(Buffer.from(after, "base64url").toString("utf8"));
export const writeCursor = (parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");

/** `links.next` of a page. */
export function nextLink(url: URL, parts: unknown[]): string {
  const search = new URLSearchParams(url.search);
  search.set("after", writeCursor(parts));
  return `${publicUrl}${url.pathname}?${search}`;
}
