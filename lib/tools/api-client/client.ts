import createFetchClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/api.ts";
import { createRetryingFetch, type Wait } from "./retrying-fetch.ts";

// A typed client of the API, for other programs: it needs this folder and the package openapi-fetch, nothing else of ours.

type Schemas = components["schemas"];
export type Review = Schemas["Review"];
export type Order = Schemas["Order"];
export type ApiIssue = Schemas["Errors"]["errors"][number];

/** `GET`, `POST`, `PUT`, `DELETE`, each with an address of the API; every one answers `{ data, error, response }`. */
export type CandorClient = Client<paths, "application/json">;

export type Options = {
  /** where the service is, such as `https://reviews.shop.example` */
  origin: string;
  /** the secret API key */
  key: string;
  /** tries a call has in all while the service is busy or away */
  maxAttempts?: number;
  fetch?: (request: Request) => Promise<Response>;
  sleep?: Wait;
};

/**
 * A client of the service at `origin`. Calls that are answered 429 or 503 are tried again when the answer says so. Every
 * POST carries an Idempotency-Key, so that a repetition after a lost connection acts once.
 */
export function createCandorClient({ origin, key, maxAttempts, fetch, sleep }: Options): CandorClient {
  const client = createFetchClient<paths, "application/json">({
    baseUrl: origin,
    headers: { Authorization: `Bearer ${key}` },
    fetch: createRetryingFetch(fetch, { tries: maxAttempts, wait: sleep }),
  });
  client.use({
    onRequest: ({ request }) => {
      if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
        request.headers.set("Idempotency-Key", crypto.randomUUID());
    },
  });
  return client;
}

/** A refused call: its status, and everything the service found wrong. */
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

/** What a call answered, or its refusal thrown as CandorError. */
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

/** The addresses whose answer is a page of rows. */
export type ListPath = {
  [P in keyof paths]: [Body<P>] extends [never]
    ? never
    : Body<P> extends { data: readonly unknown[]; links: unknown }
      ? P
      : never;
}[keyof paths];
export type Row<P extends ListPath> = Body<P> extends { data: readonly (infer R)[] } ? R : never;
export type Filter<P extends ListPath> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? Q : never;

/** All rows of a list, page after page. A pass ends at the newest row of the moment it began. */
export async function* iterateRows<P extends ListPath>(
  client: CandorClient,
  path: P,
  filter: Filter<P>,
): AsyncGenerator<Row<P>> {
  let after: string | undefined;
  do {
    const query = { limit: 1_000, ...(filter as object), ...(after !== undefined && { after }) };
    // Every list has the parameters and the page of this one; which rows it holds, the type above says.
    const page = await unwrap(client.GET(path as "/v1/reviews", { params: { query } }));
    yield* page.data as Row<P>[];
    // The service may be known to itself by another name than to us: we take the cursor and keep the address.
    after =
      page.links.next === undefined ? undefined : (new URL(page.links.next).searchParams.get("after") ?? undefined);
  } while (after !== undefined);
}
