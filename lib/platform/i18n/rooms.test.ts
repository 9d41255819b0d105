import { describe, expect, it } from "vitest";
import { languages } from "@/lib/platform/i18n/languages";
import de from "@/lib/platform/i18n/messages/de/errors.json";
import es from "@/lib/platform/i18n/messages/es/errors.json";
import fr from "@/lib/platform/i18n/messages/fr/errors.json";
import sv from "@/lib/platform/i18n/messages/sv/errors.json";
import { dictionaryOf, rooms, type Said } from "@/lib/platform/i18n/rooms";
import * as ofPlaces from "@/lib/platform/i18n/rooms/place-names";
import { english, wordsOf } from "@/lib/platform/i18n/rules";
import { digestWords } from "@/lib/platform/mail/templates/digest-words";

const everything = { ...rooms, ...ofPlaces };
const all = Object.entries(everything).flatMap(([room, own]) =>
  Object.entries<Said>(own).map(([text, said]) => ({ room, text, said })),
);
const errorTexts = { de, fr, es, sv };
const languageAt = ["de", "fr", "es", "sv"] as const;
const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
/** What a text has to be filled in all its forms; in the form for one a number may be left out. */
const neededBy = (text: string) => new Set(placesOf(text));

describe("what the portal says", () => {
  it("is there in every language, with the same places and forms", () => {
    const faults = all.flatMap(({ room, text, said }) =>
      said.flatMap((own, language) => {
        const where = `${room}, ${languageAt[language]}: ${text}`;
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

  it("is written as each language is: its quotes, its spaces, its signs, and nobody is addressed as a friend", () => {
    const wrong: Record<(typeof languageAt)[number], RegExp> = {
      // „so“, and Sie
      de: /[«»”"]|(?<![\p{L}-])(?:du|dein\w*|dich|dir|euch|euer|eure\w*)(?!\p{L})/iu,
      // « ainsi », a space before double signs, vous
      fr: /[„“”"]|[^\s](?:[;!?»]|:(?!\/\/|password))|«\S|(?<![\p{L}-])(?:tu|toi|ton|tes)(?!\p{L})/iu,
      // «así», ¿así?, usted
      es: /[„“”"]|^[^¿]*[^¿{(]\?|^[^¡]*[^¡]!|\s[:;?!»]|«\s|(?<![\p{L}-])(?:tú|tus?|vuestr\w+|vosotros)(?!\p{L})/iu,
      // ”så”, and du
      sv: /[«»„“"]|(?<![\p{L}:-])(?:ni|er|ert|era)(?!\p{L})/iu,
    };
    const errors = Object.keys(errorTexts.de).map((reason) => ({
      room: `errors.json, ${reason}`,
      said: languageAt.map((language) => (errorTexts[language] as Record<string, string>)[reason] ?? ""),
    }));
    const faults = [...all, ...errors].flatMap(({ room, said }) =>
      said.flatMap((own, place) => {
        const language = languageAt[place] ?? "de";
        return own.split("|").some((form) => wrong[language].test(form.replace(/https?:\S*/g, "")))
          ? [`${room}, ${language}: ${own}`]
          : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it("keeps French signs with their words", () => {
    const french = dictionaryOf("fr");
    expect(french["Forgot your password?"]).toBe("Mot de passe oublié\u202f?");
    expect(french["“{name}” is revoked."]).toBe("«\u00a0{name}\u00a0» est révoquée.");
    expect(french["Client: {name}. Switch"]).toBe("Boutique\u00a0: {name}. Changer");
    expect(Object.values(french).filter((text) => / [:;?!»%]|« /.test(text))).toEqual([]);
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
