import { describe, expect, it } from "vitest";
import { patternOf } from "@/lib/platform/i18n/pattern";

describe("a sentence with places", () => {
  it("is found again in what was made of it, with what fills its places", () => {
    const read = (text: string, message: string) => patternOf(text).read(message);
    expect(read("The name {name} was not found.", "The name shop.example was not found.")).toEqual({
      name: "shop.example",
    });
    expect(
      read("{address} sends too slowly: {n} bytes in {m} s.", "a.example sends too slowly: 12 bytes in 3 s."),
    ).toEqual({ address: "a.example", n: 12, m: 3 });
    // What follows a place stands in it as well: numbers decide, or the end does.
    expect(
      read("{address} answers with more than {n} bytes.", "x answers with more than y answers with more than 7 bytes."),
    ).toEqual({ address: "x answers with more than y", n: 7 });
    expect(read("{what} took too long.", "a took too long. took too long.")).toBeNull();
    expect(read("its {name} is {type}, not {wanted}", "its size is is, not it, not that")).toEqual({
      name: "size",
      type: "is",
      wanted: "it, not that",
    });
    expect(read("The shop says: “{said}”", "The shop says: “No. Try “again”. So”")).toEqual({
      said: "No. Try “again”. So",
    });
    expect(read("Part {n} of the file is missing.", "Part 3 of the file is missing.")).toEqual({ n: 3 });
  });

  it("is in nothing else: a place holds something, and a part of one sentence; a number is one", () => {
    const { read } = patternOf("The name {name} was not found.");
    for (const other of [
      "The name  was not found.",
      "The name a was not found. ",
      "The name a. It b was not found.",
      "the name a was not found.",
      "The name ",
      "",
    ])
      expect(read(other)).toBeNull();
    for (const n of ["", "x", "1.5", "9".repeat(400)])
      expect(patternOf("A client has at most {n} feeds.").read(`A client has at most ${n} feeds.`)).toBeNull();
  });

  it("is looked for in time that grows as a text does, whatever another system made of it", () => {
    const length = 60_000;
    const hostile: [string, string][] = [
      ["its {name} is {type}, not {wanted}", `its ${" is a, not b".repeat(length / 12)}. c`],
      ["{address} answers with more than {n} bytes.", " answers with more than 1".repeat(length / 25)],
      ["{address} answers with more than {n} bytes.", `x answers with more than ${"1".repeat(length)}`],
      ["The store {a} of {b} of {c} of {d} is gone.", `The store ${"x of ".repeat(length / 5)} is gone. `],
      ["{mapping} = {column}.", "a = ".repeat(length / 4)],
      ["The shop says: “{said}”", `The shop says: “${"“".repeat(length)}`],
    ];
    // A few milliseconds. Looked for with every place as long as it may be, the first alone takes minutes, more than a test
    // has.
    for (const [text, message] of hostile) expect(patternOf(text).read(message)).toBeNull();
  });
});
