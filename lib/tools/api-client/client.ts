import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/api.ts";
import { createRetryingFetch, type Sleep } from "./retrying-fetch.ts";

// A typed API client for other programs. It needs only this folder and the package openapi-fetch.

type Schemas = components["schemas"];
export type Review = Schemas["Review"];
export type Order = Schemas["Order"];
export type ApiIssue = Schemas["Errors"]["errors"][number];

/** `GET`, `POST`, `PUT` and `DELETE` take a path of the API and return `{ data, error, response }`. */
export type CandorClient = Client<paths, "application/json">;

export type Options = {
  /** URL of the service, such as `https://reviews.shop.example` */
  origin: string;
  /** the secret API key */
  key: string;
  /** maximum attempts per call while the service is busy or unreachable */
  maxAttempts?: number;
  fetch?: (request: Request) => Promise<Response>;
  sleep?: Sleep;
};

/**
 * Creates a client of the service at `origin`. Calls that fail with 429 or 503 are retried as Retry-After says. Every
 * POST has an Idempotency-Key, so that a retry after a lost connection acts once.
 */
export function createCandorClient({ origin, key, maxAttempts, fetch, sleep }: Options): CandorClient {
  const client = createFetchClient<paths, "application/json">({
    baseUrl: origin,
    headers: { Authorization: `Bearer ${key}` },
    fetch: createRetryingFetch(fetch, { maxAttempts, sleep }),
  });
  client.use({
    onRequest: ({ request }) => {
      if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
        request.headers.set("Idempotency-Key", crypto.randomUUID());
    },
  });
  return client;
}

/** A failed call, with its status and all issues of the response. */
export class CandorError extends Error {
  readonly status: number;
  readonly issues: readonly ApiIssue[];

  constructor(status: number, issues: readonly ApiIssue[]) {
    super(issues.map(({ message }) => message).join(" ") || `The service answered ${status}.`);
    this.name = "CandorError";
    this.status = status;
    this.issues = issues;
  }
}

/** Returns the data of a response. Throws CandorError if the call failed. */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: { errors?: readonly ApiIssue[] }; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new CandorError(response.status, error?.errors ?? []);
  return data as T;
}

type Body<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { "application/json": infer B } } } };
}
  ? B
  : never;

/** Paths whose response is a page of rows. */
export type ListPath = {
  [P in keyof paths]: [Body<P>] extends [never]
    ? never
    : Body<P> extends { data: readonly unknown[]; links: unknown }
      ? P
      : never;
}[keyof paths];
export type Row<P extends ListPath> = Body<P> extends { data: readonly (infer R)[] } ? R : never;
export type Filter<P extends ListPath> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;

/** Yields all rows of a list, page by page. Rows created after the first request are not included. */
export async function* iterateRows<P extends ListPath>(
  client: CandorClient,
  path: P,
  filter: Filter<P>,
): AsyncGenerator<Row<P>> {
  let after: string | undefined;
  do {
    const query = { limit: 1_000, ...(filter as object), ...(after !== undefined && { after }) };
    // Every list has the same parameters and page format. The type of the rows comes from the signature.
    const page = await unwrap(client.GET(path as "/v1/reviews", { params: { query } }));
    yield* page.data as Row<P>[];
    // The service may know itself by another host name, so only the cursor is used.
    after =
      page.links.next === undefined ? undefined : (new URL(page.links.next).searchParams.get("after") ?? undefined);
  } while (after !== undefined);
}
