import { z } from "zod";
import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { type ErrorCode, errorStatus } from "@/lib/errors";
import { type Contract, endpoint } from "@/lib/http/contract";
import { errorBody } from "@/lib/http/fields";
import { limits } from "@/lib/http/rate-limit";

const ApiDescription = z.looseObject({ openapi: z.literal("3.1.0") });

export const apiDescriptionContract = endpoint({
  id: "openapi.get",
  method: "GET",
  path: "/v1/openapi.json",
  tag: "Service",
  summary: "This description, as OpenAPI 3.1",
  description: "Strong ETag; `If-None-Match` answers 304.",
  auth: "public",
  response: ApiDescription,
});

export const portalDescriptionContract = endpoint({
  id: "portal.openapi.get",
  method: "GET",
  path: "/portal/api/openapi.json",
  tag: "Portal",
  summary: "This description, as OpenAPI 3.1",
  auth: "session",
  client: "none",
  response: ApiDescription,
});

/** What a call looks like: query as written in an address, path parameters, body and answer as values. */
export type Example = { params?: Record<string, string>; query?: string; body?: unknown; answer?: unknown };
export type Examples = Readonly<Record<string, Example>>;

/** One way a call may be refused: its status, code, and when. */
export type Refusal = { status: number; code: ErrorCode; when: string };

/** Every error code and what it says, in the order of its status. */
export const whenRefused: Record<ErrorCode, string> = {
  invalid_json: "The body is not JSON (or not the form it says it is), or not UTF-8.",
  invalid_cursor: "`after` is not a cursor of this list.",
  invalid_parameter: "A value in the query is wrong; every wrong one is listed.",
  client_id_required: "The caller reaches several clients and names none.",
  unauthorized: "No credential, or a wrong one. A wrong one is never made up for by another.",
  client_forbidden: "The client is unknown or not the caller's; both get the same answer.",
  forbidden: "The key's scope, the person's role or the page's origin does not allow it.",
  not_found: "There is no such row, or it belongs to another client.",
  method_not_allowed: "The address does not offer this method; `Allow` names those it does.",
  conflict: "It would contradict what is stored.",
  too_large: "The body is larger than allowed.",
  unsupported_media_type: "The `Content-Type` is not the documented one.",
  invalid_field: "A field of the body is wrong; every wrong one is listed.",
  rate_limited: "Too many requests; `Retry-After` says how many seconds to wait.",
  internal: "Something went wrong on our side. The `X-Request-Id` of the answer finds it in the log.",
  unavailable: "The database is away; nothing is half written. `Retry-After` says when to come back.",
};

/** How an endpoint may refuse a call. Follows from its contract alone, as route() does it. */
export function refusalsOf(contract: Contract): Refusal[] {
  const authenticated = contract.auth === "management" || contract.auth === "session";
  const codes: ErrorCode[] = [];
  if (contract.query) codes.push("invalid_parameter");
  if (shapeOf(contract.query)?.after) codes.push("invalid_cursor");
  if (contract.accepts !== "none") codes.push("invalid_json", "too_large", "unsupported_media_type");
  if (contract.body) codes.push("invalid_field");
  if (authenticated) codes.push("unauthorized", "forbidden");
  if (authenticated && contract.client === "one") codes.push("client_id_required", "client_forbidden");
  if (contract.auth === "public_key") codes.push("client_forbidden", "forbidden");
  if (contract.path.includes("{")) codes.push("not_found");
  if (contract.limit !== "none") codes.push("rate_limited");
  codes.push("unavailable");
  return codes
    .map((code) => ({ status: statusOf(code, contract), code, when: whenRefused[code] }))
    .sort((a, b) => a.status - b.status);
}

const statusOf = (code: ErrorCode, { auth }: Contract): number =>
  code === "invalid_field" && (auth === "public" || auth === "public_key") ? 406 : errorStatus[code];

/** The members of an object schema, also where a refinement or transformation is wrapped around it. */
function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined {
  return objectOf(schema)?.shape as Record<string, z.ZodType> | undefined;
}
function objectOf(schema: z.ZodType | undefined): z.ZodObject | undefined {
  const { def } = (schema as z.ZodObject | undefined)?._zod ?? {};
  if (!def) return undefined;
  if ((def.type as string) === "pipe") return objectOf((def as unknown as { in: z.ZodType }).in);
  return def.type === "object" ? (schema as z.ZodObject) : undefined;
}

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer` and the secret API key." },
  basic: {
    type: "http",
    scheme: "basic",
    description: "The secret API key as user name with an empty password, or user name and password of a portal login.",
  },
  token: {
    type: "apiKey",
    in: "query",
    name: "token",
    description:
      "The secret API key in the query. A header wins over it. It ends up in logs on the way: prefer a header.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description: "The portal's session, from the portal's own pages only.",
  },
} as const;

const security: Record<Contract["auth"], Record<string, string[]>[]> = {
  management: [{ bearer: [] }, { basic: [] }, { token: [] }, { session: [] }],
  session: [{ session: [] }],
  // The public key travels in the body.
  public_key: [],
  public: [],
};

const mediaTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
} as const;

const rateLimitHeaders = {
  RateLimit: { schema: { type: "string" }, description: "What is left of the limit, and when it is full again." },
  "RateLimit-Policy": { schema: { type: "string" }, description: "The limit: burst and the window it refills in." },
} as const;

type Operation = NonNullable<ZodOpenApiObject["paths"]>[string]["get"];
type Response = NonNullable<NonNullable<Operation>["responses"]>[`${1 | 2 | 3 | 4 | 5}${string}`];

/** An OpenAPI 3.1 description of these endpoints, made of what validates them. `origin` is where they are served. */
export function describeApi(
  contracts: readonly Contract[],
  about: { title: string; description: string; origin: string; examples?: Examples },
) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const contract of contracts) {
    paths[contract.path] ??= {};
    const operations = paths[contract.path] as Record<string, Operation>;
    operations[contract.method.toLowerCase()] = describe(contract, about.examples?.[contract.id] ?? {});
  }
  const tags = [...new Set(contracts.map(({ tag }) => tag))].map((name) => ({ name }));
  const used = new Set(contracts.flatMap(({ auth }) => security[auth].flatMap((way) => Object.keys(way))));
  return createDocument(
    {
      openapi: "3.1.0",
      info: { title: about.title, version: "1.0.0", description: about.description },
      servers: [{ url: about.origin }],
      tags,
      paths: paths as ZodOpenApiObject["paths"],
      components: {
        securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
      },
    },
    { override: ({ jsonSchema }) => tidy(jsonSchema as Json) },
  );
}

type Json = Record<string, unknown> & { anyOf?: Json[] };

/** Says the same in fewer words: no bounds that every whole number has, no pattern where a format or type says it. */
function tidy(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === "date" || schema.format === "date-time" || schema.type === "integer") delete schema.pattern;
  // Members may be added to answers; who reads one must not stumble over it.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  const [first, second, ...more] = schema.anyOf ?? [];
  if (first && typeof first.type === "string" && second?.type === "null" && more.length === 0) {
    delete schema.anyOf;
    Object.assign(schema, first, { type: [first.type, "null"] });
    if (Array.isArray(first.enum)) schema.enum = [...first.enum, null];
  }
}

function describe(contract: Contract, example: Example): Operation {
  const query = objectOf(contract.query);
  return {
    operationId: contract.id,
    tags: [contract.tag],
    summary: contract.summary,
    description: contract.description,
    security: security[contract.auth],
    requestParams: { ...(contract.params && { path: contract.params }), ...(query && { query }) },
    requestBody:
      contract.body && contract.accepts !== "none"
        ? {
            required: true,
            content: { [mediaTypes[contract.accepts]]: { schema: contract.body, example: example.body } },
          }
        : undefined,
    responses: {
      ...successes(contract, example),
      ...refused(contract),
    } as NonNullable<Operation>["responses"],
  };
}

function successes(contract: Contract, example: Example): Record<string, Response> {
  const statuses: [number, z.ZodType | undefined][] = [
    [contract.status, contract.response],
    ...Object.entries(contract.alternatives ?? {}).map(
      ([status, schema]) => [Number(status), schema] as [number, z.ZodType | undefined],
    ),
  ];
  const type = contract.produces.split(";")[0] as string;
  return Object.fromEntries(
    statuses.map(([status, schema]) => [
      status,
      {
        description: status === 201 ? "Created." : status === 202 ? "Accepted." : schema ? "Success." : "Done.",
        headers: contract.limit === "none" ? undefined : rateLimitHeaders,
        content: schema
          ? { [type]: { schema, example: status === contract.status ? example.answer : undefined } }
          : type === "application/json"
            ? undefined
            : { [type]: { schema: { type: "string", format: "binary" } } },
      } as Response,
    ]),
  );
}

function refused(contract: Contract): Record<string, Response> {
  const byStatus = Map.groupBy(refusalsOf(contract), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ways]) => [
      status,
      {
        description: ways.map(({ code, when }) => `\`${code}\`: ${when}`).join(" "),
        headers: refusalHeaders[status],
        content: {
          "application/json": {
            schema: errorBody,
            examples: Object.fromEntries(ways.map(({ code }) => [code, { value: exampleOf(code) }])),
          },
        },
      } as Response,
    ]),
  );
}

const text = (description: string) => ({ schema: { type: "string" }, description }) as const;
const refusalHeaders: Record<number, Record<string, ReturnType<typeof text>>> = {
  401: { "WWW-Authenticate": text('`Basic realm="Candor"`') },
  429: { "Retry-After": text("Seconds to wait.") },
  503: { "Retry-After": text("Seconds to wait.") },
};

const faultyFields: Partial<Record<ErrorCode, [field: string, message: string]>> = {
  invalid_parameter: ["limit", "limit must be a whole number of at least 1."],
  invalid_cursor: ["after", "The cursor is not one of this list."],
  client_id_required: ["client_id", "You reach several clients: name one with client_id."],
  client_forbidden: ["client_id", "This client is not yours, or does not exist."],
  invalid_field: ["order.customer.id", "order.customer.id is required."],
};
const exampleOf = (code: ErrorCode) => {
  const [field, message] = faultyFields[code] ?? [null, whenRefused[code].replaceAll("`", "")];
  return { errors: [{ code, message, field }] };
};

/** The limits as a reader understands them, for the docs. */
export const publishedLimits = Object.entries(limits).map(([name, { burst, perSecond }]) => ({
  name,
  burst,
  perSecond,
}));
