import { describe, expect, it } from "vitest";
import { sentence } from "@/components/settings/model";
import { templateName } from "@/components/settings/template-name";
import { dictionaryOf } from "@/lib/words/rooms";
import { wordsOf } from "@/lib/words/rules";

const german = wordsOf("de", dictionaryOf("de"));

describe("a fault of a setting", () => {
  it("is a sentence, in English as the service tells it", () => {
    expect(sentence("must be at most 2000 characters long")).toBe("It must be at most 2000 characters long.");
    expect(sentence("must be a colour such as #1f6feb")).toBe("It must be a colour such as #1f6feb.");
    expect(sentence("uses the key {a} 1 a second time")).toBe("It uses the key {a} 1 a second time.");
  });
  it("is said in the reader's language, with its numbers", () => {
    expect(sentence("must not remind after 7 days, within the quarantine of 21", german)).toBe(
      "7 Tage liegen innerhalb der Ruhezeit von 21 Tagen.",
    );
    expect(sentence("must be a colour such as #1f6feb", german)).toBe("Es muss eine Farbe wie #1f6feb sein.");
    expect(sentence("what nobody has translated", german)).toBe("what nobody has translated.");
  });
  it("names a template by its place", () => {
    expect(templateName("config.templates.de.subject")).toBe("Subject, German");
    expect(templateName("templates.de.text_template", german)).toBe("Nur Text, Deutsch");
  });
});
