import { expect, it } from "vitest";
import { mentionAt, mentionedIds, splitMentions, suggestPeople } from "@/components/moderation/mentions";

const ada = { id: "u1", name: "Ada" };
const adaBerg = { id: "u2", name: "Ada Berg" };
const mia = { id: "u3", name: "mia@shop.example" };
const people = [ada, adaBerg, mia];

it("finds the mention being written before the cursor", () => {
  expect(mentionAt("Look @ad", 8)).toEqual({ start: 5, typed: "ad" });
  expect(mentionAt("@", 1)).toEqual({ start: 0, typed: "" });
  expect(mentionAt("(@Ada B", 7)).toEqual({ start: 1, typed: "Ada B" });
  expect(mentionAt("Look @ad", 4)).toBeNull();
  expect(mentionAt("write to a@b", 12)).toBeNull();
  expect(mentionAt("@Ada\nand", 8)).toBeNull();
});

it("suggests people by any word of their names, and nobody after a complete name", () => {
  const suggested = (typed: string) => suggestPeople(people, typed).map(({ id }) => id);
  expect([suggested(""), suggested("AD"), suggested("ber"), suggested("ada b")]).toEqual([
    ["u1", "u2", "u3"],
    ["u1", "u2"],
    ["u2"],
    ["u2"],
  ]);
  expect([suggested("Ada Berg please"), suggested("x")]).toEqual([[], []]);
});

it("recognizes names in a text, the longest one first", () => {
  expect(splitMentions("@Ada Berg, ask @Ada.", people)).toEqual([
    { text: "@Ada Berg", ids: ["u2"] },
    { text: ", ask ", ids: [] },
    { text: "@Ada", ids: ["u1"] },
    { text: ".", ids: [] },
  ]);
  expect(mentionedIds("@mia@shop.example and @Ada and @Ada", people)).toEqual(["u3", "u1"]);
  expect(mentionedIds("@Adam, you@Ada, Ada", people)).toEqual([]);
  expect(mentionedIds("@Ada", [ada, { id: "u4", name: "Ada" }])).toEqual(["u1", "u4"]);
});
