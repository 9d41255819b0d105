import { inject } from "vitest";
import type { Methods } from "@/lib/api/methods";
import { httpMethods } from "@/lib/tools/test/test-server";

/** What a test sends. `body` is sent as JSON; text, bytes and forms are sent unchanged. */
export type RequestOptions = {
  /** secret key, sent as bearer */
  key?: string;
  /** username and password, sent as Basic */
  basic?: readonly [string, string];
  body?: unknown;
  headers?: Record<string, string>;
  /** the caller's network address */
  address?: string;
};

export type TestResponse = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape and check it themselves
  json: any;
};

const ORIGIN = "http://localhost:3000";

/** How the built service under test is served over HTTP; null if handlers are called as functions. */
export const serverKind = inject("serverKind") ?? null;
const builtService = serverKind && httpMethods(inject("ports")?.[Number(process.env.VITEST_POOL_ID) - 1] ?? 0);

/**
 * Calls the exported handlers of a route module, as the server does: `path` with its query, starting with `/`. If the
 * built service is under test, sends the request there instead.
 */
export async function call(
  module: Partial<Methods>,
  method: keyof Methods,
  path: string,
  { key, basic, body, headers = {}, address = "127.0.0.1" }: RequestOptions = {},
): Promise<TestResponse> {
  const raw =
    body === undefined || typeof body === "string" || body instanceof Uint8Array || body instanceof FormData
      ? body
      : JSON.stringify(body);
  const sent = new Headers(headers);
  if (key !== undefined) sent.set("Authorization", `Bearer ${key}`);
  if (basic) sent.set("Authorization", basicHeader(...basic));
  if (raw !== undefined && !(raw instanceof FormData) && !sent.has("Content-Type"))
    sent.set("Content-Type", "application/json");
  const handler = (builtService ?? module)[method];
  if (!handler) throw new Error(`The route does not export ${method}.`);
  const request = new Request(new URL(path, ORIGIN), { method, headers: sent, body: raw as BodyInit | undefined });
  const response = await handler(request, { address });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

export const basicHeader = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** The path and query of an absolute link, to follow it with `call`. */
export const pathOf = (link: string): string => link.slice(new URL(link).origin.length);

/** The response without the signatures of image URLs, which change every second. */
export const withoutImageSignatures = ({ text }: TestResponse): unknown =>
  JSON.parse(text.replace(/\?expires=\d+&signature=[\w-]+/g, ""));

/** All rows of a list, following `links.next`; `between` runs after each page. Throws if the list doesn't end. */
export async function readAll(
  module: Partial<Methods>,
  path: string,
  sent: RequestOptions,
  afterPage: (page: number) => Promise<unknown> = async () => {},
  // biome-ignore lint/suspicious/noExplicitAny: rows of any list
): Promise<any[]> {
  const rows = [];
  for (let next: string | undefined = path, pages = 1; next !== undefined; pages += 1) {
    if (pages > 500) throw new Error(`${path} has no last page.`);
    const answer = await call(module, "GET", next, sent);
    if (answer.status !== 200) throw new Error(`${next} responded with ${answer.status}: ${answer.text}`);
    rows.push(...answer.json.data);
    await afterPage(pages);
    next = answer.json.links.next && pathOf(answer.json.links.next);
  }
  return rows;
}
