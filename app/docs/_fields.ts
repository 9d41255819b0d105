import type { ApiDescription } from "@/app/_description";

/** A JSON schema as far as the docs read it. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: (string | null)[];
  const?: unknown;
  default?: unknown;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
};

/** One line of a table of fields. `resource` is the table to look at for what is inside. */
export type Field = { path: string; type: string; resource?: string; required: boolean; note: string };

export const resourceOf = (ref: string): string => ref.replace("#/components/schemas/", "");

/** The fields of an object schema, those of inner objects after their own: `order.items[].id`. */
export function fieldsOf(schema: Schema, description: ApiDescription, prefix = ""): Field[] {
  const object = opened(schema, description);
  return Object.entries(object.properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix + name;
    const required = object.required?.includes(name) ?? false;
    const { type, resource } = typeOf(inner);
    const line: Field = { path, type, resource, required, note: noteOf(inner) };
    const [object_, list] = insideOf(inner);
    return object_ ? [line, ...fieldsOf(object_, description, `${path}${list ? "[]" : ""}.`)] : [line];
  });
}

/** What stands behind a reference. */
export function opened(schema: Schema, description: ApiDescription): Schema {
  if (!schema.$ref) return schema;
  return (description.components?.schemas?.[resourceOf(schema.$ref)] ?? {}) as Schema;
}

/** An object without a name of its own inside a field, and whether it is in a list. */
function insideOf(schema: Schema): [object: Schema | undefined, list: boolean] {
  if (schema.properties) return [schema, false];
  if (schema.items?.properties) return [schema.items, true];
  const some = schema.anyOf?.find(({ type }) => type !== "null");
  return some && !some.$ref ? insideOf(some) : [undefined, false];
}

const words: Record<string, string> = {
  string: "text",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  object: "object",
  null: "null",
};

/** The type in words, such as `text or null`, `list of Image`. */
export function typeOf(schema: Schema): { type: string; resource?: string } {
  if (schema.$ref) return { type: resourceOf(schema.$ref), resource: resourceOf(schema.$ref) };
  if (schema.anyOf) {
    const parts = schema.anyOf.map(typeOf);
    return {
      type: [...new Set(parts.map(({ type }) => type))].join(" or "),
      resource: parts.find(({ resource }) => resource)?.resource,
    };
  }
  if (schema.const !== undefined) return { type: JSON.stringify(schema.const) };
  const types = [schema.type ?? "any"].flat();
  const inner = schema.items && typeOf(schema.items);
  const named = types.map((type) => {
    if (type === "array") return inner ? `list of ${inner.type}` : "list";
    if (schema.format === "date" && type === "string") return "date";
    if (schema.format === "date-time" && type === "string") return "time";
    if (schema.format === "binary") return "file";
    return words[type] ?? type;
  });
  return { type: named.join(" or "), resource: inner?.resource };
}

function noteOf(schema: Schema): string {
  const values = schema.enum?.filter((value) => value !== null);
  const bounds = [
    values && `One of ${values.map((value) => `\`${value}\``).join(", ")}.`,
    schema.maxLength !== undefined && `At most ${schema.maxLength.toLocaleString("en")} characters.`,
    schema.maxItems !== undefined && `At most ${schema.maxItems.toLocaleString("en")} entries.`,
    schema.minimum !== undefined && schema.maximum !== undefined && `${schema.minimum} to ${schema.maximum}.`,
    schema.default !== undefined && schema.default !== false && `Default \`${JSON.stringify(schema.default)}\`.`,
  ].filter(Boolean);
  return [schema.description, ...bounds].filter(Boolean).join(" ");
}
