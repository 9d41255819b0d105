import { describe, expect, it } from "vitest";
import { languages } from "@/lib/languages/rules";
import { digestWords } from "@/lib/mail/templates/digest-words";
import { dictionaryOf, type RoomName, rooms, type Said } from "@/lib/words/rooms";
import { english, wordsOf } from "@/lib/words/rules";

const all = (Object.keys(rooms) as RoomName[]).flatMap((room) =>
  Object.entries<Said>(rooms[room]).map(([text, said]) => ({ room, text, said })),
);
const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
/** What a text has to be filled in all its forms; in the form for one a number may be left out. */
const neededBy = (text: string) => new Set(placesOf(text));

describe("what the portal says", () => {
  it("is there in every language, with the same places and forms", () => {
    const faults = all.flatMap(({ room, text, said }) =>
      said.flatMap((own, language) => {
        const where = `${room}, ${["de", "fr", "es", "sv"][language]}: ${text}`;
        if (own.trim() === "") return [`${where} is empty`];
        if (own.split("|").length !== text.split("|").length) return [`${where} has other forms`];
        if ([...neededBy(text)].sort().join() !== [...neededBy(own)].sort().join())
          return [`${where} has other places`];
        return own.includes("§") ? [`${where} says what is meant`] : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it("is said once: what two rooms say is common", () => {
    const where = Map.groupBy(all, ({ text }) => text);
    expect([...where].filter(([, each]) => each.length > 1).map(([text]) => text)).toEqual([]);
  });

  it("calls one's account what mails call it that lead there", () => {
    for (const language of languages)
      expect(digestWords[language].stopped).toContain(wordsOf(language, dictionaryOf(language))("Your account"));
  });
});

describe("a sentence", () => {
  const german = wordsOf("de", {
    "{n} review|{n} reviews": "{n} Bewertung|{n} Bewertungen",
    "Cancel§item": "Stornieren",
  });
  const french = wordsOf("fr", { "{n} day|{n} days": "{n} jour|{n} jours" });
  it("counts as its language counts, and writes numbers so", () => {
    expect([1, 0, 12_345].map((n) => german("{n} review|{n} reviews", { n }))).toEqual([
      "1 Bewertung",
      "0 Bewertungen",
      "12.345 Bewertungen",
    ]);
    expect(french("{n} day|{n} days", { n: 0 })).toBe("0 jour");
    expect([1, 2].map((n) => english("{n} day|{n} days", { n }))).toEqual(["1 day", "2 days"]);
  });
  it("is English where nobody has said it otherwise, counted as English counts", () => {
    expect(french("{n} item|{n} items", { n: 0 })).toBe("0 items");
    expect(german("Cancel§item")).toBe("Stornieren");
    expect(english("Cancel§item")).toBe("Cancel");
  });
  it("takes hostile values as they are, and names of the prototype as texts", () => {
    expect(english("By {name}", { name: "{name} <b>§|$&" })).toBe("By {name} <b>§|$&");
    expect(german("constructor")).toBe("constructor");
  });
});
