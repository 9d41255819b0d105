import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { findFindingsSync, findStepwise } from "@/lib/moderation/rules/find-findings";
import type { RuleInput, Shop } from "@/lib/moderation/rules/rule-input";
import type { Finding } from "@/lib/moderation/rules/schema";
import { verdictOf } from "@/lib/moderation/rules/verdict";
import { propertyRuns } from "@/lib/tools/test/property-runs";

// Properties that apply to any text.

/** Texts with content that rules look for, mixed with lone surrogates, blanks and other scripts. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.integer().map((unit) => String.fromCharCode(unit & 0xffff)),
      fc.constantFrom(
        "fuck",
        "f*ck",
        "f u c k",
        "fu\u200bck",
        "merde",
        "🖕",
        "😀",
        "\ud83d",
        "4111 1111 1111 1111",
        "DE89370400440532013000",
        "bob@x.example",
        "(at)",
        "https://x.example",
        "www.",
        "amazon.com",
        "070-123 45 67",
        "+46",
        "0800 1831234",
        "order no 12345",
        "499 kr",
        "$5",
        "EUR 38",
        "asdfasdf",
        "aaaaaaa",
        " ",
        "\n",
        "'",
        "’",
        "-",
        "\u00ad",
        "\u0301",
        "ﬁ",
        "İ",
        "ẞ",
        "中文",
        "ไทย",
        "العربية",
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const anyWriting: fc.Arbitrary<RuleInput> = fc.record({
  fields: fc.array(fc.record({ name: fc.constantFrom("author", "title", "extract", "pros[0]"), text: anyText }), {
    maxLength: 4,
  }),
  lang: fc.option(fc.constantFrom("en", "de", "fr", "es", "sv", "zh", "ja", "xx", "", "EN-gb", "not a language")),
  detected: fc.option(fc.constantFrom("en", "sv", "cs")),
  photos: fc.nat(2),
  own: fc.record({ email: fc.option(anyText), phone: fc.option(anyText), orderId: fc.option(anyText) }),
  similarity: fc.double({ min: 0, max: 1, noNaN: true }),
  arrivals: fc.record({ author: fc.nat(9), network: fc.nat(9), product: fc.nat(30) }),
});

const anyShop: fc.Arbitrary<Shop> = fc.record({
  languages: fc.array(fc.constantFrom("en", "sv", "de")),
  country: fc.option(fc.constantFrom("SE", "US", "XX", "")),
  domains: fc.array(fc.constantFrom("x.example", "shop.example", "")),
});

const anySettings: fc.Arbitrary<RuleSettings> = fc.record(
  {
    profanity: fc.record({
      words: fc.array(
        anyText.filter((text) => text !== ""),
        { maxLength: 3 },
      ),
      allowed: fc.array(anyText, { maxLength: 3 }),
    }),
    url: fc.record({ on: fc.boolean(), action: fc.constantFrom("hold" as const, "reject" as const) }),
    phone: fc.record({ action: fc.constantFrom("hold" as const, "reject" as const) }),
  },
  { requiredKeys: [] },
);

describe("rules on any text", () => {
  it("never throw, and return non-overlapping positions within a field, at character boundaries", () => {
    fc.assert(
      fc.property(anyWriting, anyShop, anySettings, (writing, shop, settings) => {
        const findings = findFindingsSync(writing, shop, settings);
        for (const { field, start, end } of findings) {
          if (field === null) {
            expect([start, end]).toEqual([0, 0]);
            continue;
          }
          const fits = writing.fields.some(
            ({ name, text }) =>
              name === field &&
              end <= text.length &&
              isAtCharacterBoundary(text, start) &&
              isAtCharacterBoundary(text, end),
          );
          expect(fits && start < end).toBe(true);
        }
        for (const [index, a] of findings.entries())
          for (const b of findings.slice(index + 1))
            expect(a.field !== null && a.field === b.field && a.start < b.end && b.start < a.end).toBe(false);
        expect(["accept", "hold", "reject"]).toContain(verdictOf(findings).outcome);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it("return the same findings when repeated", () => {
    fc.assert(
      fc.property(anyWriting, anyShop, anySettings, (writing, shop, settings) => {
        expect(findFindingsSync(writing, shop, settings)).toEqual(findFindingsSync(writing, shop, settings));
      }),
      { numRuns: 100 },
    );
  });

  it("limit the findings of one item", () => {
    const text = "fuck https://x.example $5 bob@x.example 070-123 45 67 4111 1111 1111 1111 ".repeat(500);
    const fields = [{ name: "extract", text }];
    const nothing = { detected: null, photos: 1, similarity: 1, arrivals: { author: 9, network: 9, product: 99 } };
    const writing = { fields, lang: "en", own: { email: null, phone: null, orderId: null }, ...nothing };
    const findings = findFindingsSync(writing, { languages: ["en"], country: "SE", domains: [] }, {});
    expect(findings.length).toBeGreaterThan(60);
    expect(findings.length).toBeLessThanOrEqual(13 * 20);
  });

  it("yield between fields and rules", () => {
    const fields = ["pros[0]", "pros[1]", "pros[2]"].map((name) => ({ name, text: "Fine." }));
    const nothing = { detected: null, photos: 0, similarity: 0, arrivals: { author: 0, network: 0, product: 0 } };
    const steps = findStepwise(
      { fields, lang: "en", own: { email: null, phone: null, orderId: null }, ...nothing },
      { languages: ["en"], country: "SE", domains: [] },
      {},
    );
    let turns = 0;
    while (!steps.next().done) turns += 1;
    expect(turns).toBe(27);
  });
});

/** Whether a position is between two characters, not within one. */
function isAtCharacterBoundary(text: string, place: number): boolean {
  const before = text.charCodeAt(place - 1);
  const after = text.charCodeAt(place);
  return !(before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff);
}

describe("the rules' input", () => {
  it("has no score or similar field", () => {
    expectTypeOf<RuleInput>().not.toHaveProperty("score");
    expectTypeOf<RuleInput>().not.toHaveProperty("recommended");
    expectTypeOf<keyof RuleInput>().toEqualTypeOf<
      "fields" | "lang" | "detected" | "photos" | "own" | "similarity" | "arrivals"
    >();
    expectTypeOf<RuleInput["fields"][number]>().toEqualTypeOf<{ readonly name: string; readonly text: string }>();
    expectTypeOf<RuleInput["own"]>().not.toHaveProperty("score");
    // Neither do the store's data, nor the findings that the verdict is from.
    expectTypeOf<keyof Shop>().toEqualTypeOf<"languages" | "country" | "domains">();
    expectTypeOf<Parameters<typeof verdictOf>>().toEqualTypeOf<[findings: readonly Finding[]]>();
    expectTypeOf<Finding>().not.toHaveProperty("score");
    // @ts-expect-error The rules can't be given a score.
    const withScore: RuleInput = { ...({} as RuleInput), score: 1 };
    expect(withScore).toHaveProperty("score");
  });
});
