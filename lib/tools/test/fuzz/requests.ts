import fc, { type Arbitrary } from "fast-check";
import type { OpenApiDocument, Operation, Schema } from "@/lib/tools/test/description";

// Generates requests from an OpenAPI document: valid ones, and ones corrupted in the ways that programs, networks and
// people corrupt requests.

/**
 * A placeholder for a value that only the running service knows, such as an order id: the nth of a kind, modulo their
 * number.
 */
export class ValueReference {
  constructor(
    readonly kind: string,
    readonly nth: number,
  ) {}
  [fc.toStringMethod]() {
    return `${this.kind}#${this.nth}`;
  }
  toJSON() {
    return this[fc.toStringMethod]();
  }
}

/** The kind of value that the service has for a location such as `orders.post order.items.id`. */
export type ReferenceKindOf = (place: string) => string | null;

/** A request before its references are resolved. */
export type Draft = {
  operation: Operation;
  method: string;
  path: Record<string, unknown>;
  query: [name: unknown, value: unknown][];
  /** appended to the query without encoding */
  rawQuery: string;
  /** who calls */
  caller: string;
  headers: Record<string, unknown>;
  body: { json: unknown } | { fields: [name: string, value: unknown][] } | null;
  /** applied to the body's bytes in order */
  byteMutations: ByteMutation[];
};

export type ByteMutation =
  | { do: "cut"; at: number }
  | { do: "byte"; at: number; byte: number }
  | { do: "insert"; at: number; text: string }
  | { do: "all"; text: string };

const reviewText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "Warm light, and the switch sits where the hand looks for it.",
      "Bra lampa, lyser starkt och känns stadig. Köper gärna igen!",
      "Leider nach zwei Wochen kaputt. 0,5 Sterne.",
      "Shit product, call me at +46 70 123 45 67 or ada@example.org, see https://evil.example/?a=1",
      "£49.99 is too much; order 100045; card 4111 1111 1111 1111",
      "asdfghjkl qwrtp zzzzzzzzzzzzzz",
      "灯 很 好 💡👨‍👩‍👧 \u202Eevil\u202C Z̷a̷l̷g̷o̷",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.lorem({ maxCount: 30 }) },
);

/** Values that no valid client sends but every service receives. */
const invalidValues: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    6,
    1e21,
    Number.MAX_SAFE_INTEGER + 2,
    "",
    " ",
    "\0",
    "a\0b",
    "\ud83d",
    "\udc00x",
    "\uFEFF",
    "null",
    "true",
    "NaN",
    "-1",
    "1e3",
    "0x10",
    "undefined",
    "'; drop table reviews; --",
    "%00",
    "../../etc/passwd",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "0000-00-00",
    "0000-01-01",
    "2026-02-30",
    "9999-12-31",
    "+275760-09-13",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00+25:00",
    "9999-12-31T23:59:59-23:59",
    "x".repeat(256),
    "💡".repeat(256),
    "x".repeat(2_001),
    "é".repeat(60_001),
    [],
    {},
    [null],
    [[[[]]]],
    { id: null },
    Array.from({ length: 101 }, () => "x"),
    Array.from({ length: 3_000 }, (_, index) => ({ id: `${index}` })),
  ),
  fc.integer(),
  fc.double(),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 400 }).map((depth) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`)),
);

const index = fc.nat(1_000);
const fixedDays = fc.constantFrom("2026-01-31", "2024-02-29", "1999-12-31", "0001-01-01");
const recentTimes = fc.integer({ min: -400, max: 2 }).map((n) => new Date(Date.now() + n * 86_400_000).toISOString());
const day = fc.oneof(
  fixedDays,
  recentTimes.map((time) => time.slice(0, 10)),
);
const timestamp = fc.oneof(
  day,
  recentTimes.map((time) => `${time.slice(0, 19)}Z`),
  fc.constantFrom("2020-01-01T00:00:00.123456789Z", "2020-01-01T00:00:00+02:00", "2020-01-01T00:00:00-0330"),
);

/** What a document can't express about its service. */
export type RequestHints = {
  kindOf: ReferenceKindOf;
  /** names of the callers to use, authorized ones most often */
  callersOf: (operation: Operation) => string[];
  /** repairs what no schema expresses: members that exclude or need each other. Changes the body. */
  fixBody: (operation: Operation, body: Schema) => void;
};

/** Generates requests to the operations of a document. */
export class Requests {
  constructor(
    private readonly description: OpenApiDocument,
    private readonly knowledge: RequestHints,
  ) {}

  /** Any request to any operation; `weightOf` is its relative frequency. */
  any(weightOf: (operation: Operation) => number = () => 1): Arbitrary<Draft> {
    return fc.oneof(
      ...this.description.operations.map((operation) => ({
        weight: weightOf(operation),
        arbitrary: fc.oneof(
          { weight: 3, arbitrary: this.valid(operation) },
          { weight: 4, arbitrary: this.mutated(operation) },
        ),
      })),
    );
  }

  /** A valid request: every value has its documented type and limits, as far as the schema expresses them. */
  valid(operation: Operation): Arbitrary<Draft> {
    const own = operation.parameters.filter(({ in: where }) => where === "query");
    return fc.record({
      operation: fc.constant(operation),
      method: fc.constant(operation.method),
      path: fc.record(
        Object.fromEntries(
          operation.parameters
            .filter(({ in: where }) => where === "path")
            .map(({ name, schema }) => [name, this.value(schema, `${operation.id} ${name}`)]),
        ),
      ),
      // Few at a time: all filters combined hardly ever match a row.
      query: fc
        .shuffledSubarray(own, { maxLength: Math.min(own.length, 3) })
        .chain((some) =>
          fc.tuple(
            ...some.map(({ name, schema }) =>
              this.value(schema, `${operation.id} ${name}`).map((value): [unknown, unknown] => [name, value]),
            ),
          ),
        ),
      rawQuery: fc.constant(""),
      caller: fc.constantFrom(...this.knowledge.callersOf(operation)),
      headers: this.headers(operation),
      body: this.body(operation).map((body) => this.fixedBody(operation, body)),
      byteMutations: fc.constant<ByteMutation[]>([]),
    });
  }

  /** The same with one to three errors. */
  mutated(operation: Operation): Arbitrary<Draft> {
    return fc
      .tuple(this.valid(operation), fc.array(this.mutation(operation), { minLength: 1, maxLength: 3 }))
      .map(([draft, issues]) => issues.reduce((spoilt, issue) => issue(spoilt), draft));
  }

  private mutation(operation: Operation): Arbitrary<(draft: Draft) => Draft> {
    type Issue = Arbitrary<(draft: Draft) => Draft>;
    const mutations: { weight: number; arbitrary: Issue }[] = [
      {
        weight: 1,
        arbitrary: fc
          .constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
          .map((method) => (draft) => ({
            ...draft,
            method,
          })),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fc.oneof(
              fc.constantFrom(
                "limit",
                "after",
                "client_id",
                "token",
                "updated_after",
                "callback",
                "__proto__",
                "",
                "x",
              ),
              fc.string({ maxLength: 5 }),
            ),
            invalidValues,
          )
          .map((pair) => (draft) => ({
            ...draft,
            query: [...draft.query, pair],
          })),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(
            "%",
            "limit=%",
            "limit=%zz",
            "limit=%ff",
            "client_id=%00",
            "%00=1",
            "&&&",
            "=",
            "after=%ED%A0%80",
            "a[b]=1",
          )
          .map((rawQuery) => (draft) => ({ ...draft, rawQuery })),
      },
      {
        weight: 2,
        arbitrary: fc
          .record(
            {
              "content-type": fc.constantFrom(
                "",
                "text/plain",
                "application/json; charset=utf-16",
                "application/jsonp",
                "*/*",
                "application/x-www-form-urlencoded",
                "multipart/form-data",
                "multipart/form-data; boundary=x",
              ),
              accept: fc.constantFrom("text/html", "application/xml", "*/*;q=0"),
              "if-none-match": fc.constantFrom("*", '""', '"x", W/"y"'),
              origin: fc.constantFrom("https://evil.example", "null", "http://localhost:3000"),
              "content-encoding": fc.constantFrom("gzip", "identity"),
              "idempotency-key": fc.oneof(fc.constantFrom("", "a", "x".repeat(300), "ä"), fc.uuid()),
              "x-forwarded-for": fc.constantFrom("203.0.113.1", "::1, garbage"),
              authorization: fc.constantFrom("", "Bearer", "Bearer x", "Basic", "Basic ***", "Basic Og==", "Digest x"),
            },
            { requiredKeys: [] },
          )
          .map((headers) => (draft) => ({
            ...draft,
            headers: { ...draft.headers, ...headers },
          })),
      },
    ];
    if (operation.path.includes("{")) {
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      mutations.push({
        weight: 2,
        arbitrary: fc.tuple(fc.constantFrom(...names), invalidValues).map(([name, value]) => (draft) => ({
          ...draft,
          path: { ...draft.path, [name]: value },
        })),
      });
    }
    if (operation.parameters.some(({ in: where }) => where === "query"))
      mutations.push({
        weight: 3,
        arbitrary: fc.tuple(index, invalidValues).map(([at, value]) => (draft) => {
          const own = operation.parameters.filter(({ in: where }) => where === "query");
          const name = own[at % own.length]?.name;
          return {
            ...draft,
            query: [...draft.query.filter(([given]) => given !== name), [name, value]],
          };
        }),
      });
    if (operation.body) {
      mutations.push(
        {
          weight: 8,
          arbitrary: fc
            .tuple(
              index,
              fc.constantFrom("drop", "replace", "replace", "add", "repeat", "wrap"),
              invalidValues,
              fc.oneof(fc.constantFrom("id", "length", "toString", "", "constructor"), reviewText),
            )
            .map(([at, mutationKind, value, name]) => (draft) => ({
              ...draft,
              body: mutateBody(draft.body, at, mutationKind, value, name),
            })),
        },
        {
          weight: 2,
          arbitrary: fc
            .oneof<Arbitrary<ByteMutation>[]>(
              fc.record({ do: fc.constant("cut" as const), at: index }),
              fc.record({
                do: fc.constant("byte" as const),
                at: index,
                byte: fc.nat(255),
              }),
              fc.record({
                do: fc.constant("insert" as const),
                at: index,
                text: fc.constantFrom(",", '"', "}", "\\u0000", "\0", "\uFEFF", "1e999", '"__proto__":{"x":1},', "//"),
              }),
              fc.record({
                do: fc.constant("all" as const),
                text: fc.constantFrom(
                  "",
                  "null",
                  "[]",
                  "{}",
                  '""',
                  "0",
                  "{'a':1}",
                  '{"order":{"id":1e999}}',
                  '{"review":[]}',
                  "NaN",
                ),
              }),
            )
            .map((mutation) => (draft) => ({
              ...draft,
              byteMutations: [...draft.byteMutations, mutation],
            })),
        },
      );
    }
    return fc.oneof(...mutations);
  }

  private headers(operation: Operation): Arbitrary<Record<string, unknown>> {
    const own = operation.parameters.filter(({ in: where }) => where === "header");
    const some = fc.record(
      Object.fromEntries(own.map(({ name, schema }) => [name, this.value(schema, `${operation.id} ${name}`)])),
      { requiredKeys: [] },
    );
    return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some });
  }

  private fixedBody(operation: Operation, body: Draft["body"]): Draft["body"] {
    if (body && "json" in body) this.knowledge.fixBody(operation, body.json as Schema);
    return body;
  }

  private body({ id, body }: Operation): Arbitrary<Draft["body"]> {
    if (!body) return fc.constant(null);
    const value = this.value(body.schema, id);
    if (body.type === "application/json") return value.map((json) => ({ json }));
    return value.map((fields) => ({
      fields: Object.entries(fields as object),
    }));
  }

  /**
   * A value that a schema allows. `location` is its location; values known to the service there are the most frequent.
   */
  value(given: Schema, location: string): Arbitrary<unknown> {
    const kind = this.knowledge.kindOf(location);
    if (kind !== null) {
      const known = index.map((nth) => new ValueReference(kind, nth));
      return fc.oneof({ weight: 30, arbitrary: known }, { weight: 1, arbitrary: this.matchingSchema(given, location) });
    }
    return this.matchingSchema(given, location);
  }

  private matchingSchema(given: Schema, place: string): Arbitrary<unknown> {
    const schema = this.description.resolve(given);
    if ("const" in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return fc.oneof(...choices.map((each: Schema) => this.value(each, place)));
    if (Array.isArray(schema.type))
      return fc.oneof(
        ...schema.type.map((type: string) => ({
          weight: type === "null" ? 1 : 5,
          arbitrary: this.matchingSchema({ ...schema, type }, place),
        })),
      );
    switch (schema.type) {
      case "object":
        return this.object(schema, place);
      case "array":
        // A tuple of fixed length: `items` is false then.
        if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((item: Schema) => this.value(item, place)));
        return fc.array(this.value(schema.items ?? {}, place), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 4, 4),
        });
      case "integer":
        return place.endsWith("limit")
          ? fc.constantFrom(1, 2, 3, 7, 1000, 100_000)
          : fc.integer({
              min: schema.minimum ?? -5,
              max: schema.maximum ?? 5_000,
            });
      case "number":
        return fc.double({
          min: schema.minimum ?? -1e6,
          max: schema.maximum ?? 1e6,
          noNaN: true,
        });
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "string":
        return textOf(schema, place);
      default:
        return fc.oneof(
          reviewText,
          fc.boolean(),
          fc.integer({ min: 0, max: 6 }),
          fc.array(reviewText, { maxLength: 3 }),
          fc.jsonValue(),
        );
    }
  }

  private object(schema: Schema, place: string): Arbitrary<unknown> {
    const at = (name: string) => (place.includes(" ") ? `${place}.${name}` : `${place} ${name}`);
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const named = fc.record(Object.fromEntries(members.map(([name, each]) => [name, this.value(each, at(name))])), {
      requiredKeys: schema.required ?? [],
    });
    if (typeof schema.additionalProperties !== "object") return named;
    const names = fc.oneof(
      fc.constantFrom("fit", "rating", "colours", "note", "title"),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
    );
    return fc.dictionary(names, this.value(schema.additionalProperties, at("*")), { maxKeys: 4 });
  }
}

function textOf(schema: Schema, place: string): Arbitrary<unknown> {
  if (schema.format === "date") return day;
  if (/_(after|before)$/.test(place)) return timestamp;
  if (schema.format === "date-time") return timestamp;
  if (schema.format === "binary") return index.map((nth) => new ValueReference("file", nth));
  if (/(^|[_ .])lang$/.test(place)) return fc.constantFrom("en", "sv", "de-AT", "xx");
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  if (/url$/.test(place)) return fc.webUrl();
  if (/email$/.test(place)) return fc.emailAddress();
  if (/_ip$/.test(place)) return fc.ipV4();
  const { minLength = 0, maxLength = 60_000 } = schema as {
    minLength?: number;
    maxLength?: number;
  };
  return reviewText.map((text) => [...text].slice(0, maxLength).join("").padEnd(minLength, "x"));
}

/** The same body with one value corrupted: the `at`th in document order, modulo their number. */
function mutateBody(
  body: Draft["body"],
  at: number,
  mutationKind: string,
  value: unknown,
  name: string,
): Draft["body"] {
  if (body === null) return body;
  if ("fields" in body) {
    const fields = [...body.fields];
    const place = fields.length > 0 ? at % fields.length : 0;
    if (mutationKind === "drop") fields.splice(place, 1);
    else if (mutationKind === "repeat") fields.push(...fields.slice(place, place + 1));
    else if (mutationKind === "add") fields.push([name, value]);
    else fields[place] = [fields[place]?.[0] ?? name, value];
    return { fields };
  }
  const copy = { json: copyValue(body.json) };
  // Every location as its parent and key.
  const places: [holder: Schema, key: string][] = [[copy, "json"]];
  for (const [holder, key] of places) {
    const inner = holder[key];
    if (inner !== null && typeof inner === "object" && !(inner instanceof ValueReference))
      places.push(...Object.keys(inner).map((each): [Schema, string] => [inner, each]));
  }
  const [holder, key] = places[at % places.length] as [Schema, string];
  const found = holder[key];
  if (mutationKind === "drop") {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  } else if (mutationKind === "add" && found !== null && typeof found === "object" && !Array.isArray(found))
    found[name] = value;
  else if (mutationKind === "repeat" && Array.isArray(found))
    holder[key] = Array.from({ length: 60 }, () => found).flat();
  else if (mutationKind === "wrap") holder[key] = [found];
  else holder[key] = value;
  return copy;
}

function copyValue(value: unknown): unknown {
  if (value === null || typeof value !== "object" || value instanceof ValueReference) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyValue(member)]));
}
