import { expect, it } from "vitest";
import { findSchemaIssues, interactionSchema } from "./interaction-schema";

const schemaOf = (properties: object, required?: unknown[]) => ({ jsonSchema: { properties, required } });
const ours = interactionSchema("x").jsonSchema.properties;

it("reports how a schema doesn't fit reviews", () => {
  expect(findSchemaIssues(interactionSchema("x"))).toEqual([]);
  expect(findSchemaIssues(schemaOf({ ...ours, comment: { type: ["null", "integer"] } }, ["rating", "colour"]))).toEqual(
    [
      { reason: "schema_property_of_other_type", params: { name: "comment", type: "null,integer", wanted: "string" } },
      { reason: "schema_requires_property", params: { name: "colour" } },
    ],
  );
});

it("reports invalid types and names, in text that can be stored", () => {
  const none = { toString: 1, valueOf: 1 };
  expect(findSchemaIssues(schemaOf({ ...ours, comment: { type: none } }, [none, "toString"]))).toEqual([
    { reason: "schema_property_of_other_type", params: { name: "comment", type: "something else", wanted: "string" } },
    { reason: "schema_requires_property", params: { name: "something else" } },
    { reason: "schema_requires_property", params: { name: "toString" } },
  ]);
  const [found] = findSchemaIssues(schemaOf({ ...ours, rating: { type: `\0a${"😀".repeat(60)}` } }));
  const typeText = String(found?.params?.type);
  expect(typeText).toMatch(/^a😀/u);
  expect(typeText.isWellFormed()).toBe(true);
});
