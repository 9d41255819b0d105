import type { TestResponse } from "@/lib/tools/test/call";
import type { OpenApiDocument, Operation, Schema } from "@/lib/tools/test/description";

/** The parts of a request that coverage needs. */
export type SentRequest = { query: string; headers?: Record<string, string>; json?: unknown };

/** A member of a body, named as in issues (`review.pros[0]`), with its schema. */
export type Member = { path: string; schema: Schema; required: boolean };

/** A schema in normal form: references resolved, `null` removed from its types. */
export function nonNullSchema(description: OpenApiDocument, given: Schema): Schema {
  const schema = description.resolve(given);
  const forms = (schema.anyOf ?? schema.oneOf)?.map((each: Schema) => description.resolve(each));
  const form = forms?.find(({ type }: Schema) => type !== "null") ?? schema;
  const [type = form.type] = Array.isArray(form.type) ? form.type.filter((each: string) => each !== "null") : [];
  return { ...form, type };
}

const isNullable = (description: OpenApiDocument, given: Schema): boolean => {
  const schema = description.resolve(given);
  const forms: Schema[] = schema.anyOf ?? schema.oneOf ?? [];
  return [schema, ...forms].some(({ type }) => [type].flat().includes("null"));
};

/** All members of a schema, parents first; the first entry stands for all of a list. */
export function membersOf(description: OpenApiDocument, given: Schema, at = ""): Member[] {
  const schema = description.resolve(given);
  if (schema.anyOf && !isNullable(description, given))
    return schema.anyOf.flatMap((each: Schema) => membersOf(description, each, at));
  const form = nonNullSchema(description, given);
  if (form.type === "array") return form.items ? membersOf(description, form.items, `${at}[0]`) : [];
  return Object.entries((form.properties ?? {}) as Record<string, Schema>).flatMap(([name, each]) => {
    const path = at ? `${at}.${name}` : name;
    const member = { path, schema: each, required: (form.required ?? []).includes(name) };
    return [member, ...membersOf(description, each, path)];
  });
}

/** Every value at a member's path in a body; in lists, of all entries. */
function valuesAt(body: unknown, path: string): unknown[] {
  return path
    .replaceAll("[0]", ".[0]")
    .split(".")
    .filter((part) => part !== "")
    .reduce<unknown[]>(
      (values, part) =>
        values.flatMap((value) => {
          if (part === "[0]") return Array.isArray(value) ? value : [];
          return value !== null && typeof value === "object" && part in value ? [(value as Schema)[part]] : [];
        }),
      [body],
    );
}

const hasValue = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);

/**
 * Records which parts of a description were covered: every status and error code, every accepted parameter and body
 * member, every response member and, if nullable, its null. Each response is also validated against the description.
 */
export class Coverage {
  private readonly uncovered = new Set<string>();
  readonly issues: string[] = [];

  /** `isTestedElsewhere` matches what this suite can't produce. */
  constructor(
    readonly description: OpenApiDocument,
    readonly operations: Operation[],
    isTestedElsewhere: (point: string) => boolean,
  ) {
    for (const operation of operations)
      for (const point of this.pointsOf(operation)) if (!isTestedElsewhere(point)) this.uncovered.add(point);
  }

  /** What hasn't been requested or returned yet. */
  missing(): string[] {
    return [...this.uncovered].sort();
  }

  private pointsOf(operation: Operation): string[] {
    const { id, parameters, body, responses } = operation;
    const points: string[] = [];
    for (const [status, { content }] of Object.entries(responses)) {
      const json = content?.["application/json"];
      if (Number(status) >= 400) {
        for (const code of Object.keys(json?.examples ?? {})) points.push(`${id} refuses with ${status} ${code}`);
        continue;
      }
      points.push(`${id} answers ${status}`);
      for (const { path, schema } of json ? membersOf(this.description, json.schema) : []) {
        if (nonNullSchema(this.description, schema).type !== "null") points.push(`${id} says ${path}`);
        if (isNullable(this.description, schema)) points.push(`${id} leaves ${path} null`);
      }
    }
    for (const { in: where, name } of parameters) if (where !== "path") points.push(`${id} takes ${name}`);
    for (const { path } of body ? membersOf(this.description, body.schema) : []) points.push(`${id} takes ${path}`);
    return points;
  }

  /** Records a request and its response, and what is wrong with the response. */
  record({ id, parameters, body }: Operation, { query, headers = {}, json }: SentRequest, answer: TestResponse): void {
    const operation = this.operations.find((each) => each.id === id) as Operation;
    const { status, text } = answer;
    this.issues.push(
      ...this.description.issuesOf(operation, { status, text, headers: Object.fromEntries(answer.headers) }),
    );
    if (status >= 400) {
      for (const { code } of answer.json.errors) this.uncovered.delete(`${id} refuses with ${status} ${code}`);
      return;
    }
    this.uncovered.delete(`${id} answers ${status}`);
    for (const point of this.uncovered) {
      const [, subject, verb, path = ""] = /^(\S+) (says|leaves) (\S+)/.exec(point) ?? [];
      if (subject !== id) continue;
      const values = valuesAt(answer.json, path);
      if (verb === "says" ? values.some(hasValue) : values.includes(null)) this.uncovered.delete(point);
    }
    for (const name of new URLSearchParams(query).keys()) this.uncovered.delete(`${id} takes ${name}`);
    for (const { name } of parameters) if (name in headers) this.uncovered.delete(`${id} takes ${name}`);
    for (const { path } of body ? membersOf(this.description, body.schema) : [])
      if (valuesAt(json, path).some((value) => value !== null)) this.uncovered.delete(`${id} takes ${path}`);
  }
}
