import { expect, it } from "vitest";
import { acceptedLanguages, languageOf } from "@/lib/platform/i18n/languages";

it.each([
  [null, []],
  ["", []],
  ["de", ["de"]],
  ["de-AT,de;q=0.9,en;q=0.8", ["de-AT", "de", "en"]],
  ["en;q=0.3, sv;q=0.9 , fr", ["fr", "sv", "en"]],
  ["fr;q=0,es", ["es"]],
  [";;;,q=1,*;q=x", ["q=1", "*"]],
])("parses %j", (header, expected) => expect(acceptedLanguages(header)).toEqual(expected));

it("uses the first supported language", () => {
  expect(languageOf(null, undefined, "tlh", "pt-BR", "sv-FI", "de")).toBe("sv");
  expect(languageOf(...acceptedLanguages("x".repeat(100_000)))).toBe("en");
});
