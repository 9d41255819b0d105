import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";

// An OpenAPI document for tests: its operations, and whether a response matches it.

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema, read member by member
export type Schema = Record<string, any>;
type Content = Record<string, { schema: Schema; examples?: Record<string, unknown> }>;
export type Parameter = {
  in: "path" | "query" | "header";
  name: string;
  required?: boolean;
  schema: Schema;
};

export type Operation = {
  id: string;
  method: string;
  /** with parameters in braces */
  path: string;
  parameters: Parameter[];
  body: { type: string; schema: Schema } | null;
  responses: Record<string, { content?: Content }>;
  /** names of the schemes; empty: public */
  security: string[];
};

export type Answer = {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
};

const METHODS = ["get", "post", "put", "patch", "delete"];

export class OpenApiDocument {
  readonly operations: Operation[];
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
  });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Schema) {
    formats.default(this.ajv);
    // A response must contain nothing undocumented, so every object is closed here.
    this.ajv.addSchema({ ...withoutExtraProperties(document), $id: "api" });
    this.operations = Object.entries(document.paths as Schema).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => {
        const { operationId, parameters = [], requestBody, responses, security = [] } = item[method];
        const [body] = Object.entries((requestBody?.content ?? {}) as Content);
        return {
          [fc.toStringMethod]: () => operationId,
          id: operationId,
          method: method.toUpperCase(),
          path,
          parameters: parameters.map((parameter: Schema) => this.resolve(parameter)),
          body: body ? { type: body[0], schema: body[1].schema } : null,
          responses,
          security: security.flatMap((way: object) => Object.keys(way)),
        };
      }),
    );
  }

  /** A schema without a reference at its top. */
  resolve(schema: Schema): Schema {
    if (typeof schema.$ref !== "string") return schema;
    const found = schema.$ref
      .slice(2)
      .split("/")
      .reduce((value, part) => value[part.replaceAll("~1", "/").replaceAll("~0", "~")], this.document);
    return this.resolve(found);
  }

  /** Descriptions of what is wrong with a response of this operation; empty if it matches. */
  issuesOf(operation: Operation, answer: Answer): string[] {
    const status = String(answer.status);
    const response = operation.responses[status];
    if (!response) return [`${operation.id} does not document the status ${status}`];
    if (!response.content) return answer.text === "" ? [] : [`${status} of ${operation.id} documents no body`];
    const type = (answer.headers["content-type"] ?? "none").split(";")[0] as string;
    const documented = Object.keys(response.content).find(
      (each) => each === type || (each.endsWith("/*") && type.startsWith(each.slice(0, -1))),
    );
    if (!documented) return [`${status} of ${operation.id} does not document the type ${type}`];
    if (type !== "application/json") return [];
    return this.issuesOfJson(operation, status, documented, answer.text);
  }

  private issuesOfJson(operation: Operation, status: string, type: string, text: string): string[] {
    const at = [
      "paths",
      operation.path,
      operation.method.toLowerCase(),
      "responses",
      status,
      "content",
      type,
      "schema",
    ];
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `api#/${pointer}` });
      this.validators.set(pointer, validate);
    }
    let value: Schema;
    try {
      value = JSON.parse(text);
    } catch {
      return [`${status} of ${operation.id} is not JSON: ${text.slice(0, 200)}`];
    }
    if (!validate(value)) {
      const lines = (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
      return [`${status} of ${operation.id} is not as documented: ${lines.slice(0, 5).join("; ")}`];
    }
    if (Number(status) < 400) return [];
    const codes = Object.keys(operation.responses[status]?.content?.[type]?.examples ?? {});
    return (value.errors as { code: string }[])
      .filter(({ code }) => !codes.includes(code))
      .map(({ code }) => `${status} of ${operation.id} does not document the code ${code}`);
  }
}

/** The same document, in which no object with named members allows others. */
function withoutExtraProperties(value: unknown): Schema {
  if (Array.isArray(value)) return value.map(withoutExtraProperties) as unknown as Schema;
  if (value === null || typeof value !== "object") return value as unknown as Schema;
  const copy: Schema = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutExtraProperties(member)]),
  );
  const isSchema = typeof copy.properties === "object" && (copy.type === "object" || copy.type?.[0] === "object");
  if (isSchema && !("additionalProperties" in copy) && !("$ref" in copy)) copy.additionalProperties = false;
  return copy;
}
