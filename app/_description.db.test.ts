import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { portalContracts, publicContracts } from "@/app/_contracts";
import { type ApiDescription, apiDescription } from "@/app/_description";
import { contracts } from "@/app/_routes";
import * as description from "@/app/v1/openapi.json/route";
import { payloads } from "@/lib/integrations/webhooks/payloads";
import { TEST_EVENT, webhookEvents } from "@/lib/integrations/webhooks/values";
import { documentedErrorsOf } from "@/lib/platform/http/documented-errors";
import { errorBody } from "@/lib/platform/http/fields";
import { firstValues, queryReader } from "@/lib/platform/http/query";
import { call } from "@/lib/tools/test/call";

const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();

describe("the contract lists", () => {
  it("contain every path except pages", () => {
    const calls = contracts.filter(({ produces }) => !produces.startsWith("text/html"));
    expect(ids([...publicContracts, ...portalContracts])).toEqual(ids(calls));
    for (const { path } of portalContracts) expect(path).toMatch(/^\/portal\/api\//);
    for (const { path } of publicContracts) expect(path).not.toMatch(/^\/portal\//);
  });
});

/** Problems found by the linter's recommended rules. */
async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // The API's terms of use are the operator's; Candor has none.
      "info-license": "off",
      // Tests run on localhost; real installations use PUBLIC_URL.
      "no-server-example.com": "off",
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

type Shown = { example?: unknown; examples?: object };

describe.each([
  ["public", publicContracts],
  ["portal", portalContracts],
] as const)("the %s description", (audience, list) => {
  let document: ApiDescription;
  beforeAll(() => {
    document = JSON.parse(JSON.stringify(apiDescription(audience)));
  });

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const result = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it("passes the linter", async () => {
    expect(await problemsOf(document)).toEqual([]);
    const { paths = {} } = document;
    const [path = ""] = Object.keys(paths);
    expect(await problemsOf({ ...document, paths: { [path]: { get: { responses: {} } } } })).not.toEqual([]);
  });

  it.each(list.map((contract) => [contract.id, contract] as const))("describes %s completely", (_, contract) => {
    const operation = (document.paths?.[contract.path] as never)?.[contract.method.toLowerCase()] as unknown as {
      operationId: string;
      summary: string;
      security: object[];
      parameters?: { in: string; name: string }[];
      requestBody?: { content: Record<string, { example?: unknown }> };
      responses: Record<string, { description: string; content?: Record<string, Shown> }>;
    };
    expect(operation.operationId).toBe(contract.id);
    expect(operation.summary).not.toBe("");
    const open = contract.auth === "public" || contract.auth === "public_key";
    expect(operation.security.length > 0).toBe(!open);
    const named = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path").map(({ name }) => name);
    expect(inPath).toEqual(named);
    const statuses = [
      contract.status,
      ...Object.keys(contract.alternatives ?? {}),
      ...documentedErrorsOf(contract).map(({ status }) => status),
    ];
    expect(Object.keys(operation.responses).sort()).toEqual([...new Set(statuses.map(String))].sort());
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      const shown = content["application/json"];
      if (shown && audience === "public") expect(shown.example ?? shown.examples, status).toBeDefined();
    }
    for (const sent of Object.values(operation.requestBody?.content ?? {}))
      if (audience === "public") expect(sent.example).toBeDefined();
    for (const { status, code } of documentedErrorsOf(contract)) {
      const shown = operation.responses[status]?.content?.["application/json"]?.examples as Record<
        string,
        { value: unknown }
      >;
      errorBody.parse(shown[code]?.value);
    }
  });
});

describe("the public description", () => {
  it("has every webhook event, each with an example that matches its schema", () => {
    const { webhooks = {} } = JSON.parse(JSON.stringify(apiDescription("public"))) as {
      webhooks?: Record<
        string,
        { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
      >;
    };
    expect(Object.keys(webhooks)).toEqual([...webhookEvents, TEST_EVENT]);
    for (const [event, { post }] of Object.entries(webhooks)) {
      const { example } = post.requestBody.content["application/json"] as { example: { type: string; data: object } };
      expect(example.type).toBe(event);
      expect(payloads[event as keyof typeof payloads].data.strict().safeParse(example.data).error).toBeUndefined();
    }
  });

  it("describes every parameter", () => {
    const undescribed = Object.entries(apiDescription("public").paths ?? {}).flatMap(([path, item]) =>
      Object.values(item as Record<string, { parameters?: { in: string; name: string; description?: string }[] }>)
        .flatMap(({ parameters }) => parameters ?? [])
        .filter((parameter) => parameter.in === "query" && !parameter.description)
        .map(({ name }) => `${path}?${name}`),
    );
    expect(undescribed).toEqual([]);
  });
});

const parseQuery = (schema: z.ZodType, query: string) => {
  const sent = new URLSearchParams(query);
  return queryReader(schema)(firstValues(sent), sent);
};

describe("the examples", () => {
  it.each(publicContracts.map((contract) => [contract.id, contract] as const))(
    "%s matches its contract",
    (_, contract) => {
      const { example } = contract;
      if (contract.body || contract.response) expect(example, "an example in the contract").toBeDefined();
      if (contract.accepts === "json") expect(contract.body?.safeParse(example?.body).error).toBeUndefined();
      if (contract.query && example?.query !== undefined)
        expect(contract.query.safeParse(parseQuery(contract.query, example.query)).error).toBeUndefined();
      if (contract.params) expect(contract.params.safeParse(example?.params).error).toBeUndefined();
      if (contract.response) expect(contract.response.safeParse(example?.answer).error).toBeUndefined();
    },
  );
});

describe("GET /v1/openapi.json", () => {
  it("is public and cacheable", async () => {
    const { status, headers, json } = await call(description, "GET", "/v1/openapi.json");
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(json).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://localhost:3000" }] });
    const etag = headers.get("etag") ?? "";
    const again = await call(description, "GET", "/v1/openapi.json", {
      headers: { "If-None-Match": `"other", ${etag}` },
    });
    expect({ status: again.status, text: again.text, etag: again.headers.get("etag") }).toEqual({
      status: 304,
      text: "",
      etag,
    });
    expect((await call(description, "GET", "/v1/openapi.json", { headers: { "If-None-Match": '"x"' } })).status).toBe(
      200,
    );
  });
});
