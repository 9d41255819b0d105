import type { Notice } from "@/lib/platform/issue";
import { storableText } from "@/lib/platform/storable-text";

/** The interaction schema, as the platform requires it: its flags are strings. */
export const interactionSchema = (id: string) => ({
  id,
  displayName: "Completed review",
  jsonSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      productSku: {
        type: "string",
        displayName: "Sku",
        showInContactCard: "true",
        addToSegmentation: "true",
      },
      rating: {
        type: "integer",
        displayName: "Rating",
        showInContactCard: "true",
        addToSegmentation: "true",
      },
      comment: {
        type: "string",
        displayName: "Comment",
        showInContactCard: "true",
      },
    },
  },
});

const ownProperties = interactionSchema("").jsonSchema.properties;

/**
 * Why our interactions don't fit an existing schema; empty if they do. Others may use the same id with other
 * properties, and deleting a schema deletes its interactions, so it's never replaced.
 */
export function findSchemaIssues(found: unknown): Notice[] {
  const schema = memberOf(memberOf(found, "jsonSchema"), null);
  const properties = memberOf(schema, "properties");
  const propertyIssues = Object.entries(ownProperties).flatMap(([name, { type }]): Notice[] => {
    const has = memberOf(memberOf(properties, name), "type");
    if (has === undefined) return [{ reason: "schema_without_property", params: { name } }];
    return [has].flat().includes(type)
      ? []
      : [{ reason: "schema_property_of_other_type", params: { name, type: describeValue(has), wanted: type } }];
  });
  const required = memberOf(schema, "required");
  const more = Array.isArray(required)
    ? required.filter((name) => typeof name !== "string" || !Object.hasOwn(ownProperties, name))
    : [];
  const unknownRequired = more
    .slice(0, MAX_ISSUES)
    .map((name): Notice => ({ reason: "schema_requires_property", params: { name: describeValue(name) } }));
  return [...propertyIssues, ...unknownRequired];
}

/** Maximum number of reported properties that we don't have; names are cut. */
const MAX_ISSUES = 10;
/** A type or name in storable form. */
const describeValue = (value: unknown): string =>
  storableText(
    [value]
      .flat()
      .slice(0, MAX_ISSUES)
      .map((one) => (typeof one === "object" ? "something else" : String(one)))
      .join(","),
    60,
  );

/**
 * A property of an object, which may be JSON text; undefined if there is none. Null as name returns the object itself.
 */
function memberOf(value: unknown, name: string | null): unknown {
  let object = value;
  if (typeof object === "string") {
    try {
      object = JSON.parse(object);
    } catch {
      return undefined;
    }
  }
  if (typeof object !== "object" || object === null) return undefined;
  return name === null ? object : (object as Record<string, unknown>)[name];
}
