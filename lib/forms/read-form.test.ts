import { expect, it } from "vitest";
import { readForm } from "@/lib/forms/read-form";
import type { FormItem } from "@/lib/forms/schema";

const item: FormItem = {
  position: 2,
  name: "Lamp",
  image_url: null,
  reviewed: false,
  photos: [],
  questions: [{ id: "use", label: "Use", type: "text", multiple: false, required: false, options: [] }],
  fewest_words: { promoter: 0, others: 0 },
};
const read = (fields: [string, string][]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return readForm(form, { items: [item] }).values;
};

it("reads only the fields of its items, as storable text", () => {
  const { items, author } = read([
    ["author", "An\0na \ud800"],
    ["items.2.content", "one\r\ntwo\rthree"],
    ["items.2.answers.use", "daily"],
    ["items.2.answers.other", "x"],
    ["items.3.content", "of nobody"],
    ["items.2.recommended", "perhaps"],
  ]);
  expect(author).toBe("Anna \ufffd");
  expect(Object.keys(items)).toEqual(["2"]);
  expect(items[2]).toMatchObject({ content: "one\ntwo\nthree", answers: { use: ["daily"] }, recommended: "" });
});

it("limits the lines of a list, and reads one photo too many so that it is reported", () => {
  const many = (name: string) => Array.from({ length: 5_000 }, (_, n): [string, string] => [name, `${n}`]);
  const { items } = read([...many("items.2.pros"), ...many("items.2.cons"), ...many("items.2.images")]);
  expect(items[2]?.pros).toHaveLength(100);
  expect(items[2]?.cons).toHaveLength(100);
  expect(items[2]?.images).toHaveLength(11);
});

it("lets a rating override 'not received yet'", () => {
  const later = (score: string) =>
    read([
      ["items.2.later", "on"],
      ["items.2.score", score],
    ]).items[2]?.later;
  expect(["", "none", "4"].map(later)).toEqual([true, true, false]);
});
