import { describe, expect, it } from "vitest";
import {
  addAlternatives,
  readCommand,
  readIds,
  readSections,
  sections,
} from "@/lib/display/widget/browser/compat-commands";

describe("commands of pages made for a hosted service", () => {
  it("have a name, a value and maybe a context", () => {
    expect(readCommand(["setProductId", "A/1"])).toEqual({ context: "", name: "setProductId", value: "A/1" });
    expect(readCommand(["load"])).toEqual({ context: "", name: "load", value: undefined });
    expect(readCommand("load")).toEqual({ context: "", name: "load", value: undefined });
    expect(readCommand(["popup.load", ["badge"]])).toEqual({ context: "popup", name: "load", value: ["badge"] });
    expect(readCommand(["a.b.load"])).toEqual({ context: "a.b", name: "load", value: undefined });
    expect(readCommand([".load"])).toEqual({ context: "", name: "load", value: undefined });
  });

  it("are nothing else", () => {
    for (const given of [null, undefined, 7, {}, [], [null], [7, "load"], [["load"]], () => {}, { 0: "load" }])
      expect(readCommand(given)).toBeNull();
    // Names of the language's own objects are names like any other.
    expect(readCommand(["__proto__.constructor", {}])).toEqual({
      context: "__proto__",
      name: "constructor",
      value: {},
    });
  });
});

describe("ids", () => {
  it("are a string, a number, or an array or object of these", () => {
    expect(readIds(" A/1 é ")).toEqual(["A/1 é"]);
    expect(readIds(1204)).toEqual(["1204"]);
    expect(readIds(0)).toEqual(["0"]);
    expect(readIds(["A", 2, "A", "B"])).toEqual(["A", "2", "B"]);
    expect(readIds({ first: "A", second: 2 })).toEqual(["A", "2"]);
  });

  it("are nothing else", () => {
    const circular: unknown[] = ["A"];
    circular.push(circular);
    expect(readIds(circular)).toEqual(["A"]);
    for (const given of [
      null,
      undefined,
      "",
      "  ",
      Number.NaN,
      Number.POSITIVE_INFINITY,
      true,
      [],
      {},
      [null, {}],
      () => "A",
    ])
      expect(readIds(given)).toEqual([]);
    expect(readIds(JSON.parse('{"__proto__":"A","constructor":["B"]}'))).toEqual(["A"]);
    expect(readIds(["x".repeat(256), "x".repeat(255)])).toEqual(["x".repeat(255)]);
    expect(readIds(Array.from({ length: 5000 }, (_, n) => n))).toHaveLength(50);
  });
});

describe("a summary's URL", () => {
  const summaryUrl = "https://reviews.example/onpage/shop.example/reviews.json?key=A%2F1&url_key=F";
  const namesIn = (url: string) => [...new URL(url).searchParams].filter(([name]) => name.endsWith("[]"));

  it("names the ids and families behind the first ones", () => {
    expect(addAlternatives(summaryUrl, ["A/1", "B é"], ["F", "G", "H"])).toBe(
      `${summaryUrl}&keys%5B%5D=B+%C3%A9&url_keys%5B%5D=G&url_keys%5B%5D=H`,
    );
    expect(addAlternatives(summaryUrl, ["A/1"], ["F"])).toBe(summaryUrl);
    expect(addAlternatives(summaryUrl, [], [])).toBe(summaryUrl);
  });

  it("stays within what servers accept, and names the first ones then", () => {
    const many = Array.from({ length: 50 }, (_, n) => `${n}${"é".repeat(200)}`);
    const url = addAlternatives(summaryUrl, many, many);
    expect(url.length).toBeLessThan(8_000);
    const named = namesIn(url);
    expect(named.length).toBeGreaterThan(3);
    expect(named).toEqual(many.slice(1, named.length + 1).map((id) => ["keys[]", id]));
  });
});

describe("sections to load", () => {
  it("are those named, in an array or a text, or all", () => {
    expect(readSections(undefined)).toEqual({ known: [...sections], unknown: [] });
    expect(readSections([])).toEqual({ known: [...sections], unknown: [] });
    expect(readSections("")).toEqual({ known: [...sections], unknown: [] });
    expect(readSections(["reviews", "badge"])).toEqual({ known: ["badge", "reviews"], unknown: [] });
    expect(readSections("qa, items seller")).toEqual({ known: ["qa", "seller", "items"], unknown: [] });
    expect(readSections(["badge", "videos"])).toEqual({ known: ["badge", "videos"], unknown: [] });
  });

  it("don't include unknown names", () => {
    expect(readSections(["badge", "__proto__", "toString", 7])).toEqual({
      known: ["badge"],
      unknown: ["__proto__", "toString", "7"],
    });
    // Unknown names alone don't mean everything.
    expect(readSections("nothing")).toEqual({ known: [], unknown: ["nothing"] });
  });
});
