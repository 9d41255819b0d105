import { z } from "zod";
import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import type { ErrorCode } from "@/lib/errors";
import { type Contract, endpoint } from "@/lib/http/contract";
import { errorBody } from "@/lib/http/fields";
import { limits } from "@/lib/http/rate-limit";
import { objectOf, refusalsOf, whenRefused } from "@/lib/http/refusals";

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

const text = (description: string) => ({ schema: { type: "string" }, description }) as const;
const requestIdHeader = { "X-Request-Id": text("Finds the request in the log.") };
const rateLimitHeaders = {
  RateLimit: { schema: { type: "string" }, description: "What is left of the limit, and when it is full again." },
  "RateLimit-Policy": { schema: { type: "string" }, description: "The limit: burst and the window it refills in." },
} as const;

const refusalHeaders: Record<number, Record<string, ReturnType<typeof text>>> = {
  401: { "WWW-Authenticate": text('`Basic realm="Candor"`') },
  429: { "Retry-After": text("Seconds to wait.") },
  409: { "Retry-After": text("Seconds to wait, where waiting helps.") },
  503: { "Retry-After": text("Seconds to wait.") },
};

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().min(1).max(255).optional().meta({
    description:
      "A name of your choice for this request, such as a UUID. Sent again within 24 hours with the same request, it gets the answer that was given then, and nothing is done twice.",
    example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
  }),
});

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
    requestParams: {
      ...(contract.params && { path: contract.params }),
      ...(query && { query }),
      ...(contract.keepsAnswer !== "no" && { header: idempotencyHeader }),
    },
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
        headers: successHeaders(contract),
        content: schema
          ? { [type]: { schema, example: status === contract.status ? example.answer : undefined } }
          : type === "application/json"
            ? undefined
            : { [type]: { schema: { type: "string", format: "binary" } } },
      } as Response,
    ]),
  );
}

const successHeaders = ({ limit, keepsAnswer }: Contract) => ({
  ...requestIdHeader,
  ...(limit === "none" ? {} : rateLimitHeaders),
  ...(keepsAnswer === "no"
    ? {}
    : { "Idempotent-Replayed": text("`true` where the answer is one that was given before.") }),
});

function refused(contract: Contract): Record<string, Response> {
  const byStatus = Map.groupBy(refusalsOf(contract), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ways]) => [
      status,
      {
        description: ways.map(({ code, when }) => `\`${code}\`: ${when}`).join(" "),
        headers: { ...requestIdHeader, ...refusalHeaders[status] },
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

const faultyFields: Partial<Record<ErrorCode, [field: string, message: string]>> = {
  invalid_parameter: ["limit", "limit must be a whole number of at least 1."],
  invalid_cursor: ["after", "The cursor is not one of this list."],
  client_id_required: ["client_id", "You reach several clients: name one with client_id."],
  client_forbidden: ["client_id", "This client is not yours, or does not exist."],
  invalid_field: ["order.customer.id", "order.customer.id is required."],
  idempotency_key_reused: ["Idempotency-Key", "This Idempotency-Key was used for another request."],
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
