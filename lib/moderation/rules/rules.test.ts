import { describe, expect, it } from "vitest";
import type { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { findFindingsSync } from "@/lib/moderation/rules/find-findings";
import type { RuleInput, Shop } from "@/lib/moderation/rules/rule-input";
import type { RuleName } from "@/lib/moderation/rules/values";
import { verdictOf } from "@/lib/moderation/rules/verdict";

const nobody = { email: null, phone: null, orderId: null };
const writing = (text: string, more: Partial<RuleInput> = {}): RuleInput => ({
  fields: [{ name: "extract", text }],
  lang: "en",
  detected: null,
  photos: 0,
  own: nobody,
  similarity: 0,
  arrivals: { author: 0, network: 0, product: 0 },
  ...more,
});
const shop = (country = "GB", more: Partial<Shop> = {}): Shop => ({
  languages: ["en"],
  country,
  domains: ["shop.example"],
  ...more,
});

/** The rules' findings in a text: the rule, with `!` if it would reject, and the passage. */
function found(text: string, more: Partial<RuleInput> = {}, where = shop(), settings: RuleSettings = {}): string[] {
  return findFindingsSync(writing(text, more), where, settings).map(
    ({ rule, suggested, start, end }) => `${rule}${suggested === "reject" ? "!" : ""} ${text.slice(start, end)}`,
  );
}

describe("profanity", () => {
  it.each([
    ["en", "This fucking lamp is broken.", ["profanity! fucking"]],
    ["en", "What a shitty lamp", ["profanity shitty"]],
    ["en", "You ASSHOLES.", ["profanity! ASSHOLES"]],
    ["en", "f*ck, f**k, motherf*cker", ["profanity! f*ck", "profanity! f**k", "profanity! motherf*cker"]],
    [
      "en",
      "fuuuuuck, fück, f u c k, f.u.c.k",
      ["profanity! fuuuuuck", "profanity! fück", "profanity! f u c k", "profanity! f.u.c.k"],
    ],
    [
      "en",
      "a Cyrillic letter: fuсk; full width: ｆｕｃｋ; invisible: fu\u200bck",
      ["profanity! fuсk", "profanity! ｆｕｃｋ", "profanity! fu\u200bck"],
    ],
    ["en", "🖕", ["profanity 🖕"]],
    ["de", "So ein Arschloch! Scheiße ist das.", ["profanity! Arschloch", "profanity Scheiße"]],
    ["de", "Verfickte Lampe", ["profanity! Verfickte"]],
    [
      "fr",
      "C'est de la merde, bande d'enculés, fils de pute",
      ["profanity merde", "profanity! enculés", "profanity! fils de pute"],
    ],
    [
      "es",
      "Una mierda. Sois unos gilipollas, hijos de puta",
      ["profanity mierda", "profanity! gilipollas", "profanity! hijos de puta"],
    ],
    [
      "sv",
      "Jävla skräp, din fitta. Dra åt helvete!",
      ["profanity Jävla", "profanity! fitta", "profanity! Dra åt helvete"],
    ],
    ["sv", "Din hora. Abre a la hora", ["profanity hora", "profanity hora"]],
    ["da", "Sikke en luder", ["profanity luder"]],
    ["nb", "For en drittsekk", ["profanity drittsekk"]],
    ["fi", "Ihan paska lamppu", ["profanity paska"]],
    ["nl", "wat een klootzak", ["profanity klootzak"]],
    ["it", "sei uno stronzo", ["profanity stronzo"]],
    ["pt", "que caralho", ["profanity caralho"]],
    ["pl", "kurwa mać", ["profanity kurwa"]],
    ["ru", "Какой мудило это сделал", ["profanity мудило"]],
    ["zh", "这个他妈的灯", ["profanity 他妈的"]],
    ["xx", "no list of this language, fuck", ["profanity! fuck"]],
    [null, "no language at all, fuck", ["profanity! fuck"]],
  ] as const)("%s: %s", (lang, text, expected) => expect(found(text, { lang })).toEqual(expected));

  it.each([
    ["en", "Scunthorpe, Penistone, Cockburn, Lightwater, Clitheroe; a classic assassin's cockpit with a shuttlecock"],
    ["en", "Nude pumps, fingering yarn, a strap on the back, nipples for the bottle, my butt looks great, sexy dress"],
    ["en", "The vacuum sucks up everything. White power cable, dirty pillows, golden shower head, Maine coon tested"],
    ["en", "Samsung A55, TW-4T, 4SS, H0RA 5, model FU-CK0815, ISO 9001, rated ***** or **** of five"],
    ["en", "Sizes S, M & L; A. B. C. D. are letters; hahaha, sooooo good, mmmmm"],
    [
      "de",
      "Die dicke Schabracke, Schiesser Wäsche, Nippel am Reifen, Möpse lieben es, den Vögeln schmeckt es, Arschkarte nicht",
    ],
    ["de", "Angstschweiß, Wachsstube, Dickmilch, der Laden heißt Ficks"],
    ["fr", "Ma chatte adore, pédales solides, bitte, un con de vis? non: un cul de poule, folle de joie, ce baiser"],
    [
      "es",
      "La chaqueta de maciza madera, un año, caliente, martillo, trio, leche, polvo, paja, cuchara, pinta de papaya",
    ],
    [
      "sv",
      "Bra fläkt och fan av märket, hård sås, sex stycken, till slut, fart, ljusstake, sätta på locket, kön i butiken",
    ],
    ["sv", "Kukumma, skitbra, en rövare, Horndal, krullig, fittings"],
    ["da", "Slutpris, fart, lækker fisk, Analog"],
    ["nl", "De muts, het matje, naaien gaat goed, een gat in de paal, de pijpen, afzuigen, schatje"],
    ["it", "La regina, finocchio, pesce, tirare, montare, pompa, sega, piselli, porco"],
    ["fi", "Tavara on hyvä, panna, reikä, muna, pallit, pistää, palli"],
    ["pt", "A torneira, o saco, comer, cerveja, aranha, amador, pau"],
    ["ja", "フックとラバー、女の子に、嫌いではない、挿入しやすい"],
    ["ko", "아직 보지 못했어요, 유모차, 자지 않아요"],
    ["zh", "靠背很好，牛奶，性价比高，成人尺寸，刚度"],
    ["es", "Negro es el color, bitte, fan, fart, slut"],
  ] as const)("%s, harmless: %s", (lang, text) => expect(found(text, { lang })).toEqual([]));

  it("ignores an author's name except for definite words", () => {
    const named = (name: string) =>
      findFindingsSync({ ...writing("Fine."), fields: [{ name: "author", text: name }] }, shop(), {});
    expect(named("Dick Bastard")).toEqual([]);
    expect(
      findFindingsSync({ ...writing("", { lang: "sv" }), fields: [{ name: "author", text: "Petr Hora" }] }, shop(), {}),
    ).toEqual([]);
    // It may be a real name, so a person decides.
    expect(named("Fuck You")).toMatchObject([{ field: "author", suggested: "hold", start: 0, end: 4 }]);
    for (const name of ["Anna Wanker", "Wanker", "Jo FUCK", "Fück", "fuuuck"])
      expect(named(name), name).toMatchObject([{ field: "author", suggested: "hold" }]);
    // Nobody has such a name.
    for (const name of ["f*ck off", "F u c k", "sh0p ass*ole"])
      expect(named(name), name).toMatchObject([{ field: "author", suggested: "reject" }]);
    const german = { ...writing("", { lang: "de" }), fields: [{ name: "author", text: "Fick dich" }] };
    expect(findFindingsSync(german, shop(), {})).toMatchObject([{ suggested: "reject" }]);
    // A store that rejects all profanity includes names.
    const strict = { ...writing("Fine."), fields: [{ name: "author", text: "Anna Wanker" }] };
    expect(findFindingsSync(strict, shop(), { profanity: { action: "reject" } })).toMatchObject([
      { suggested: "reject" },
    ]);
  });

  it("supports the store's own words and allowed words, including phrases", () => {
    const settings = { profanity: { words: ["plonker", "Acme Corp"], allowed: ["shit", "Fuck Buttons"] } };
    const text = "The plonkers of ACME  corp sell Fuck Buttons records, plonker. Oh shit. fuck";
    expect(found(text, {}, shop(), settings)).toEqual([
      "profanity! ACME  corp",
      "profanity! plonker",
      "profanity! fuck",
    ]);
  });
});

describe("numbers that identify a person", () => {
  it.each([
    // payment cards
    ["GB", "4111 1111 1111 1111", ["card_number! 4111 1111 1111 1111"]],
    ["GB", "Charged 5555-5555-5555-4444 twice", ["card_number! 5555-5555-5555-4444"]],
    ["GB", "amex 3782 822463 10005.", ["card_number! 3782 822463 10005"]],
    ["GB", "4111111111111111", ["card_number 4111111111111111"]],
    // bank accounts
    ["DE", "IBAN DE89 3704 0044 0532 0130 00 bitte", ["bank_account! DE89 3704 0044 0532 0130 00"]],
    ["GB", "to gb29nwbk60161331926819", ["bank_account! gb29nwbk60161331926819"]],
    // phones
    ["SE", "Ring 070-123 45 67", ["phone 070-123 45 67"]],
    ["SE", "+46 70 123 45 67", ["phone +46 70 123 45 67"]],
    ["SE", "0046701234567", ["phone 0046701234567"]],
    ["DE", "Hotline 0800 1831234", ["phone 0800 1831234"]],
    ["DE", "0171/1234567", ["phone 0171/1234567"]],
    ["FR", "06 12 34 56 78", ["phone 06 12 34 56 78"]],
    ["FR", "06.12.34.56.78", ["phone 06.12.34.56.78"]],
    ["ES", "llama al 612345678", ["phone 612345678"]],
    ["US", "(212) 555-1234", ["phone (212) 555-1234"]],
    ["US", "whatsapp 2125551234", ["phone 2125551234"]],
    ["GB", "020 7946 0958", ["phone 020 7946 0958"]],
    // orders
    ["GB", "order number 4711-22", ["order_number 4711-22"]],
    ["GB", "Order #A-20345 came late", ["order_number A-20345"]],
    ["DE", "Bestellnummer: 45-23112", ["order_number 45-23112"]],
    ["FR", "ma commande n° 4567823", ["order_number 4567823"]],
    ["ES", "el número de pedido es 778899", ["order_number 778899"]],
    ["SE", "Ordernr 12345", ["order_number 12345"]],
    ["NL", "bestelnummer 8899123", ["order_number 8899123"]],
  ])("%s: %s", (country, text, expected) => expect(found(text, {}, shop(country))).toEqual(expected));

  it.each([
    ["SE", "Size 38/40, 42-44, W32/L34, 75C"],
    ["SE", "EAN 7310865004703, artikel 4006381333931"],
    ["DE", "4006381333931"],
    ["GB", "GTIN 00012345600012, ISBN 978-3-16-148410-0"],
    ["SE", "Köpt 2024-01-15, kom 2024.01.18 och 15/1 2024, 20240115"],
    ["DE", "vom 15.01.2024 - 16.01.2024, Saison 2023/2024, 12.30-14.00 Uhr"],
    ["US", "01/15/2024, 1920x1080, 3840 x 2160, 100.000.000, 1,234,567"],
    ["FR", "12 000 000, 1 500 000, 120/80-16, 10-15-20"],
    ["GB", "Model DE-1600 8000, WH-1000XM4, RTX 4090, ABC123456789"],
    ["GB", "4111 1111 1111 1112"],
    ["GB", "6304 0000 0000 0000"],
    ["GB", "IMEI 353011133330000, serial 1234567812345678"],
    ["DE", "DE89 3704 0044 0532 0130 01, DE12 Stück, AT10 kg"],
    ["GB", "I ordered 3, in order to use 2024 of them; order in 2023 was fine; reorder 100"],
    ["FR", "commande de 2 pièces, commande en 2024"],
    ["ES", "Pedido de 12 unidades"],
    ["US", "200 400 600"],
  ])("%s, harmless: %s", (country, text) => expect(found(text, {}, shop(country))).toEqual([]));

  it("is definite for the author's own phone number, and finds the author's order number anywhere", () => {
    const own = { email: null, phone: "+46 70-123 45 67", orderId: "100045321" };
    expect(found("Nås på 0701234567", { own })).toEqual(["phone! 0701234567"]);
    expect(found("100045321 kom fram, 1000453219 inte", { own })).toEqual(["order_number 100045321"]);
    expect(found("1001 nights", { own: { ...own, orderId: "1001" } })).toEqual([]);
  });
});

describe("email addresses and links", () => {
  it.each([
    ["Write to bob@brand.example", ["email bob@brand.example"]],
    ["I am Ann@Mail.example!", ["email! Ann@Mail.example"]],
    ["bob (at) gmail (dot) com, bob[at]gmail.com", ["email bob (at) gmail (dot) com", "email bob[at]gmail.com"]],
    ["Look: https://youtu.be/x?a=1.", ["url https://youtu.be/x?a=1"]],
    ["😀https://spam.example😀", ["url https://spam.example"]],
    ["cheaper at www.other.se or Amazon.com/dp/B01", ["url www.other.se", "url Amazon.com/dp/B01"]],
    ["on www.lamps.deals now", ["url www.lamps.deals"]],
    ["zalando.de, otto.de/x", ["url zalando.de", "url otto.de/x"]],
  ])("finds %s", (text, expected) =>
    expect(found(text, { own: { ...nobody, email: "ann@mail.example" } })).toEqual(expected),
  );

  it.each([
    ["en", "Great.It fits well, good.so good, 5.in all, e.g. this, i.e. that, v2.0.1, 10.5.com?"],
    ["fr", "C'est super.Je recommande. Très bien.de plus"],
    ["es", "Bueno.es bonito, bien.se ve"],
    ["sv", "Mycket bra.Den är fin. Bra.se bilden"],
    ["en", "me@home, @brand, a @ b, 3@4, look at this: // or /"],
    ["en", "Their shop.example and help@shop.example, https://www.shop.example/lamp"],
  ])("%s: ignores %s", (lang, text) => expect(found(text, { lang })).toEqual([]));

  it("checks the host that a browser would open", () => {
    const links = ["https://evil.example?@shop.example/", "https://evil.example#@shop.example"];
    for (const link of links) expect(found(`See ${link}`)).toEqual([`url ${link}`]);
    for (const link of ["https://shop.example@evil.example", "//shop.example:1@evil.example/x"])
      expect(found(`See ${link}`)).toEqual([expect.stringMatching(/^url .*shop\.example/)]);
    expect(found("See https://evil.example\\@shop.example/")).not.toEqual([]);
    expect(found("https://SHOP.example:8443/x@y, https://shop.example, me@home")).toEqual([]);
  });

  it("recognizes the store's domain in either spelling", () => {
    const text = "https://bücher.example/x, help@bücher.example, https://xn--bcher-kva.example";
    for (const domain of ["bücher.example", "xn--bcher-kva.example"])
      expect(found(text, {}, shop("DE", { domains: [domain] }))).toEqual([]);
  });

  it("allows the store's allowed domains", () => {
    const settings = { email: { allowed: ["brand.example"] }, url: { allowed: ["youtu.be"] } };
    expect(found("help@brand.example https://youtu.be/x https://youtu.be.evil.example", {}, shop(), settings)).toEqual([
      "url https://youtu.be.evil.example",
    ]);
  });
});

describe("prices", () => {
  it.each([
    ["For $49.99", ["price $49.99"]],
    ["49,90 € and 49 EUR? no, 149 EUR", ["price 49,90 €", "price 149 EUR"]],
    ["1 299 kr, 499:-, 20kr, kr 100", ["price 1 299 kr", "price 499:-", "price 20kr", "price kr 100"]],
    ["(499:-) 1 000 000 000 000 kr", ["price 499:-", "price 1 000 000 000 000 kr"]],
    [
      "20 quid, 30 dollars, 3 000 рублей, 500円",
      ["price 20 quid", "price 30 dollars", "price 3 000 рублей", "price 500円"],
    ],
  ])("finds %s", (text, expected) => expect(found(text)).toEqual(expected));

  it.each([
    "A bargain, 20% off, half the price, expensive",
    "EUR 38, 42 EUR, 20 pounds, 6 ft, size 12, 2 kronblad, 100 centimetres, 3krona",
    "5 stars, 10/10, 100 %, 24 h, 3000 mAh",
    "5:-) 10/10:-D",
  ])("ignores %s", (text) => expect(found(text)).toEqual([]));
});

describe("unintelligible text", () => {
  it.each([
    "....",
    "!!!",
    "aaaaaaaaa",
    "asdfasdf",
    "asdasdasd",
    "sdfsdf sdf",
    "qwertz",
    "dfghjkl dfghjk",
    "xkcdb fghjk",
    "ааааааааа",
  ])("finds %s", (text) => expect(found(text)).toEqual([`unintelligible ${text}`]));

  it.each([
    ["en", "ok"],
    ["en", "👍👍👍"],
    ["en", "5/5"],
    ["en", "10"],
    ["en", "Rhythm, strengths, Stretches out, On trend, property, power, blazer, Fun"],
    ["en", "The XKCDF7 remote with HDMI and WLTFQ port works, qwerty layout"],
    ["en", "sooooooo good, hahahaha, mmmmh, wow!!!!!!!!"],
    ["en", "Mmmmmmm! Pfffft. Brrrrr, hmmmm, xxxxx"],
    ["de", "Angstschweiß, Borschtsch, gute Werte, bewertet"],
    ["cs", "čtvrt prst skrz krk, smršť"],
    ["pl", "Przestrzeń, źdźbło, szczęście"],
    ["zh", "很好用"],
    ["ja", "とてもいい"],
    ["ar", "ممتاز جدا"],
    ["th", "ดีมาก"],
    ["el", "Πολύ καλό"],
    ["ru", "взгляд, встреча, хорошо"],
  ])("%s: accepts %s", (lang, text) => expect(found(text, { lang })).toEqual([]));

  it("ignores an empty field", () => expect(found("  \n")).toEqual([]));
});

describe("rules for whole items", () => {
  const long = "Dette er en veldig god lampe som jeg bruker hver kveld når jeg leser i sengen min.";
  const rulesOf = (more: Partial<RuleInput>, where = shop(), settings: RuleSettings = {}) =>
    findFindingsSync(writing(long, more), where, settings).map(({ rule }) => rule);

  it("finds another language, but not a similar one or a short text", () => {
    expect(rulesOf({ detected: "no" })).toEqual(["wrong_language"]);
    expect(rulesOf({ detected: null })).toEqual([]);
    expect(rulesOf({ detected: "no" }, shop("SE", { languages: ["sv"] }))).toEqual([]);
    expect(rulesOf({ detected: "no" }, shop(), { wrong_language: { languages: ["no"] } })).toEqual([]);
    expect(found("Kort tekst", { detected: "no" })).toEqual([]);
  });

  it("finds a text that is similar to an earlier one", () => {
    expect(rulesOf({ similarity: 0.85 })).toEqual(["duplicate"]);
    expect(rulesOf({ similarity: 0.79 })).toEqual([]);
    expect(rulesOf({ similarity: 0.85 }, shop(), { duplicate: { similarity: 0.9 } })).toEqual([]);
  });

  it("finds bursts by author, network and product", () => {
    const none = { author: 0, network: 0, product: 0 };
    expect(rulesOf({ arrivals: { ...none, author: 5 } })).toEqual(["burst"]);
    expect(rulesOf({ arrivals: { ...none, network: 5 } })).toEqual(["burst"]);
    expect(rulesOf({ arrivals: { ...none, product: 20 } })).toEqual(["burst"]);
    expect(rulesOf({ arrivals: { author: 4, network: 4, product: 19 } })).toEqual([]);
    expect(rulesOf({ arrivals: { ...none, network: 2 } }, shop(), { burst: { per_network: 2 } })).toEqual(["burst"]);
  });

  it("reads the first 10,000 characters of a text, and holds longer ones for a person", () => {
    const filler = "A fine lamp, and no more than that. ".repeat(300);
    const [read, unread] = [9_900, 10_000].map((length) => `${filler.slice(0, length)}fucking`) as [string, string];
    expect(found(read)).toEqual(["profanity! fucking"]);
    expect(found(unread)).toEqual(["long_text "]);
    expect(found(filler.slice(0, 10_000))).toEqual([]);
    expect(found(unread, {}, shop(), { long_text: { on: false } })).toEqual([]);
    // Characters aren't split.
    expect(found(`${filler.slice(0, 9_999)}🖕`)).toEqual(["long_text "]);
  });

  it("holds photos for a person", () => expect(rulesOf({ photos: 1 })).toEqual(["photo"]));
});

describe("settings", () => {
  const text = "fucking 4111 1111 1111 1111 https://x.example $5 shit";
  const outcomes = (settings: RuleSettings) =>
    Object.fromEntries(
      findFindingsSync(writing(text, { photos: 1 }), shop(), settings).map(({ rule, suggested }) => [rule, suggested]),
    );

  it("turn a rule off", () => {
    const off = { profanity: { on: false }, url: { on: false }, photo: { on: false }, price: { on: false } };
    expect(outcomes(off)).toEqual({ card_number: "reject" });
  });

  it("make a rule always hold, or always reject", () => {
    expect(outcomes({})).toMatchObject({ card_number: "reject", url: "hold", price: "hold", photo: "hold" });
    expect(outcomes({ card_number: { action: "hold" }, url: { action: "reject" } })).toMatchObject({
      card_number: "hold",
      url: "reject",
    });
  });
});

describe("the verdict", () => {
  const of = (text: string, more: Partial<RuleInput> = {}) =>
    verdictOf(findFindingsSync(writing(text, more), shop(), {}));
  it("accepts an item without findings", () => expect(of("A fine lamp.")).toMatchObject({ outcome: "accept" }));
  it("accepts a score without text", () => expect(of("")).toMatchObject({ outcome: "accept" }));
  it("holds findings that aren't definite", () => expect(of("For $5")).toMatchObject({ outcome: "hold" }));
  it("rejects with the reason of the first definite rule", () =>
    expect(of("For $5, 4111 1111 1111 1111, fuck")).toEqual({
      outcome: "reject",
      rule: "profanity",
      reason: "profanity",
    }));

  it("reports each passage once per rule", () => {
    const rules = findFindingsSync(writing("order 4111 1111 1111 1111 at bob@x.example"), shop(), {}).map(
      ({ rule }) => rule,
    );
    expect(rules).toEqual<RuleName[]>(["card_number", "email"]);
  });
});
