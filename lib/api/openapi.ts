import { z } from "zod";
import { createDocument, type ZodOpenApiObject } from "zod-openapi";
import { publicIssue } from "@/lib/platform/errors";
import type { Contract, Example } from "@/lib/platform/http/contract";
import { documentedErrorsOf, objectOf, shapeOf } from "@/lib/platform/http/documented-errors";
import { errorBody } from "@/lib/platform/http/fields";
import { fieldOf } from "@/lib/platform/http/issues";
import { tags } from "@/lib/platform/http/tags";
import type { ErrorCode, Params, Reason } from "@/lib/platform/issue";

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "Secret API key, sent as `Authorization: Bearer <key>`." },
  basic: {
    type: "http",
    scheme: "basic",
    description: "Secret API key as username with an empty password, or the username and password of a portal sign-in.",
  },
  token: {
    type: "apiKey",
    in: "query",
    name: "token",
    description:
      "Secret API key as query parameter. A header takes precedence. Query parameters end up in logs, so prefer a header.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "next-auth.session-token",
    description: "Session of the portal, for its own pages only.",
  },
} as const;

const security: Record<Contract["auth"], Record<string, string[]>[]> = {
  management: [{ bearer: [] }, { basic: [] }, { token: [] }, { session: [] }],
  session: [{ session: [] }],
  // The public key is sent in the body.
  public_key: [],
  public: [],
};

const mediaTypes = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  signed: "application/json",
} as const;

const text = (description: string) => ({ schema: { type: "string" }, description }) as const;
const requestIdHeader = { "X-Request-Id": text("Id of the request, to find it in the log.") };
const count = (description: string) => ({ schema: { type: "integer", minimum: 0 }, description }) as const;
const rateLimitHeaders = {
  RateLimit: text("Remaining calls (`r`), and seconds until the limit is fully reset (`t`)."),
  "RateLimit-Policy": text("Calls allowed at once (`q`), and seconds in which the limit resets (`w`)."),
  "RateLimit-Limit": count("Calls allowed at once."),
  "RateLimit-Remaining": count("Remaining calls."),
  "RateLimit-Reset": count("Seconds until the limit is fully reset; after 429, until the next call is allowed."),
};

const errorHeaders: Record<number, Record<string, ReturnType<typeof text>>> = {
  401: { "WWW-Authenticate": text('`Basic realm="Candor"`') },
  429: { "Retry-After": text("Seconds to wait.") },
  409: { "Retry-After": text("Seconds to wait, if waiting helps.") },
  503: { "Retry-After": text("Seconds to wait.") },
};

const idempotencyHeader = z.object({
  "Idempotency-Key": z.string().min(1).max(255).optional().meta({
    description:
      "Unique name of this request, such as a UUID. If you repeat the request with the same name within 24 hours, you get the first response and nothing is done twice.",
    example: "8e03978e-40d5-43dd-bc93-6894a57f9324",
  }),
});

type Operation = NonNullable<ZodOpenApiObject["paths"]>[string]["get"];
type Response = NonNullable<NonNullable<Operation>["responses"]>[`${1 | 2 | 3 | 4 | 5}${string}`];

/** An OpenAPI 3.1 description of these endpoints, generated from their contracts. `origin` is where they are served. */
export function describeApi(
  contracts: readonly Contract[],
  about: {
    title: string;
    description: string;
    origin: string;
    webhooks?: ZodOpenApiObject["webhooks"];
  },
) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const contract of contracts) {
    paths[contract.path] ??= {};
    const operations = paths[contract.path] as Record<string, Operation>;
    operations[contract.method.toLowerCase()] = describe(contract);
  }
  const usedTags = [...new Set(contracts.map(({ tag }) => tag)), ...(about.webhooks ? (["Webhooks"] as const) : [])];
  const used = new Set(contracts.flatMap(({ auth }) => security[auth].flatMap((scheme) => Object.keys(scheme))));
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: { title: about.title, version: "1.0.0", description: about.description },
      servers: [{ url: about.origin }],
      tags: usedTags.map((name) => ({ name, description: tags[name] })),
      webhooks: about.webhooks,
      paths: paths as ZodOpenApiObject["paths"],
      components: {
        securitySchemes: Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name))),
      },
    },
    { override: ({ jsonSchema }) => simplifySchema(jsonSchema as Json) },
  );
  return allowExtraProperties(document);
}

/**
 * Responses may gain properties, and unknown ones of a body are ignored, so `additionalProperties` is removed. Done at
 * the end: a schema with its own description becomes a reference, and beside that the keyword would close the
 * referenced schema.
 */
function allowExtraProperties<T>(value: T): T {
  if (value !== null && typeof value === "object") {
    const holder = value as Record<string, unknown>;
    if (holder.additionalProperties === false) delete holder.additionalProperties;
    for (const member of Object.values(holder)) allowExtraProperties(member);
  }
  return value;
}

type Json = Record<string, unknown> & { anyOf?: Json[] };

/** Removes redundant keywords: bounds that every integer has, patterns implied by a format or type. */
function simplifySchema(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === "date" || schema.format === "date-time" || schema.type === "integer") delete schema.pattern;
  const [first, second, ...more] = schema.anyOf ?? [];
  if (first && typeof first.type === "string" && second?.type === "null" && more.length === 0) {
    delete schema.anyOf;
    Object.assign(schema, first, { type: [first.type, "null"] });
    if (Array.isArray(first.enum)) schema.enum = [...first.enum, null];
  }
}

function describe(contract: Contract): Operation {
  const { example = {} } = contract;
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
      ...(contract.idempotency !== "no" && { header: idempotencyHeader }),
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
      ...errorResponses(contract),
    } as NonNullable<Operation>["responses"],
  };
}

const successful: Record<number, string> = { 201: "Created.", 202: "Accepted.", 304: "Not modified." };

function successes(contract: Contract, example: Example): Record<string, Response> {
  const statuses: [number, z.ZodType | undefined][] = [
    [contract.status, contract.response],
    ...Object.entries(contract.alternatives ?? {}).map(
      ([status, schema]) => [Number(status), schema] as [number, z.ZodType | undefined],
    ),
  ];
  const [type = "", ...others] = [contract.produces, ...(contract.alsoProduces ?? [])].map(
    (each) => each.split(";")[0] as string,
  );
  return Object.fromEntries(
    statuses.map(([status, schema]) => [
      status,
      {
        description: successful[status] ?? (schema ? "Success." : "Done."),
        headers: successHeaders(contract),
        content: schema
          ? {
              [type]: { schema, example: status === contract.status ? example.answer : example.others?.[status] },
              ...Object.fromEntries(others.map((other) => [other, contentOf(other)])),
            }
          : status === 204 || status === 304
            ? undefined
            : withoutSchema([type, ...others]),
      } as Response,
    ]),
  );
}

type Content = { schema: { type: "string"; format?: "binary" } };

/** Content of these types; JSON without a schema is no content. */
function withoutSchema(types: string[]): Record<string, Content> | undefined {
  const others = types.filter((type) => type !== "application/json");
  return others.length === 0 ? undefined : Object.fromEntries(others.map((type) => [type, contentOf(type)]));
}

/** Text, or bytes for a type that isn't text. */
const contentOf = (type: string): Content => ({
  schema: /^text\/|^application\/(x-ndjson|xml)$/.test(type)
    ? { type: "string" }
    : { type: "string", format: "binary" },
});

const commonHeaders = ({ limit }: Contract) => ({
  ...requestIdHeader,
  ...(limit === "none" ? {} : rateLimitHeaders),
});

const successHeaders = (contract: Contract) => ({
  ...commonHeaders(contract),
  ...Object.fromEntries(Object.entries(contract.headers ?? {}).map(([name, about]) => [name, text(about)])),
  ...(contract.idempotency === "no"
    ? {}
    : { "Idempotent-Replayed": text("`true` if this is the response to an earlier request with the same key.") }),
});

function errorResponses(contract: Contract): Record<string, Response> {
  const byStatus = Map.groupBy(documentedErrorsOf(contract), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, ways]) => [
      status,
      {
        description: ways.map(({ code, when }) => `\`${code}\`: ${when}`).join(" "),
        headers: { ...commonHeaders(contract), ...errorHeaders[status] },
        content: {
          "application/json": {
            schema: errorBody,
            examples: Object.fromEntries(ways.map(({ code }) => [code, { value: exampleOf(code, contract) }])),
          },
          ...(contract.errorPages?.includes(status) && { "text/html": contentOf("text/html") }),
        },
      } as Response,
    ]),
  );
}

/** A typical reason for each of the other codes. */
const usualReasons = {
  invalid_json: "invalid_json",
  unauthorized: "no_credentials",
  forbidden: "role_or_key_forbids",
  not_found: "address_not_found",
  method_not_allowed: "method_not_offered",
  conflict: "request_in_progress",
  too_large: "body_too_large",
  unsupported_media_type: "unsupported_content_type",
  rate_limited: "too_many_requests",
  internal: "internal",
  unavailable: "unavailable",
} as const satisfies Partial<Record<ErrorCode, Reason>>;
const usualParams: Partial<Record<ErrorCode, Params>> = {
  method_not_allowed: { method: "PATCH", allow: "GET, HEAD" },
  too_large: { mib: 1 },
  unsupported_media_type: { type: "application/json" },
  rate_limited: { seconds: 2 },
};

/** An example of an error; for fields of the body, that of an empty one. */
function exampleOf(code: ErrorCode, contract: Contract): { errors: object[] } {
  const error = (field: string | null, reason: Reason, params?: Params) => ({
    errors: [publicIssue({ field, reason, params }, code)],
  });
  switch (code) {
    case "invalid_parameter":
      return "limit" in shapeOf(contract.query)
        ? error("limit", "not_a_count", { min: 1 })
        : error("client_id", "nul_character");
    case "invalid_cursor":
      return error("after", "invalid_cursor");
    case "client_id_required":
      return error("client_id", "client_not_named");
    case "client_forbidden":
      return error("client_id", "foreign_client");
    case "idempotency_key_reused":
      return error("Idempotency-Key", "idempotency_key_reused");
    case "invalid_field": {
      const missing = contract.body?.safeParse({}).error?.issues.map(({ path }) => fieldOf(path))[0];
      const [first = null] = Object.keys(shapeOf(contract.body));
      return missing ? error(missing, "required") : error(first, "no_matching_form");
    }
    default:
      return error(null, usualReasons[code], usualParams[code]);
  }
}
