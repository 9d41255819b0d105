import { expect, it } from "vitest";
import { interactionSchema, misfits } from "./interaction-schema";

const schemaOf = (properties: object, required?: unknown[]) => ({ jsonSchema: { properties, required } });
const ours = interactionSchema("x").jsonSchema.properties;

it("says what of a schema does not fit a review", () => {
  expect(misfits(interactionSchema("x"))).toEqual([]);
  expect(misfits(schemaOf({ ...ours, comment: { type: ["null", "integer"] } }, ["rating", "colour"]))).toEqual([
    "its comment is null,integer, not string",
    "it requires colour, which a review does not have",
  ]);
});

it("says it of types and names that are none, too, in words that can be kept", () => {
  const none = { toString: 1, valueOf: 1 };
  expect(misfits(schemaOf({ ...ours, comment: { type: none } }, [none, "toString"]))).toEqual([
    "its comment is something else, not string",
    "it requires something else, which a review does not have",
    "it requires toString, which a review does not have",
  ]);
  const [said = ""] = misfits(schemaOf({ ...ours, rating: { type: `\0a${"😀".repeat(60)}` } }));
  expect(said).toMatch(/^its rating is a😀/u);
  expect(said.isWellFormed()).toBe(true);
});
