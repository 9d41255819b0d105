import { expect, it } from "vitest";
import { csvRow } from "@/lib/platform/parsing/csv-cells";
import { rowCounter } from "./count-rows";

const bytes = (text: string) => new TextEncoder().encode(text);

it("counts rows of CSV without the header, whatever its cells contain and wherever it is cut", () => {
  const text = csvRow(["id", "text"]) + csvRow(["1", 'Two\nlines and "quotes"']) + csvRow(["2", "a,b"]);
  for (let cut = 0; cut <= text.length; cut += 1) {
    const count = rowCounter("csv");
    count(bytes(text.slice(0, cut)));
    expect(count(bytes(text.slice(cut)))).toBe(2);
  }
});

it("counts lines of JSON", () => {
  const count = rowCounter("jsonl");
  expect(count(bytes(`${JSON.stringify({ text: 'a\n"' })}\n{"id":`))).toBe(1);
  expect(count(bytes("2}\n"))).toBe(2);
});
