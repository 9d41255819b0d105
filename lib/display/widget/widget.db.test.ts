import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as badgeScript from "@/app/badge/[client_id]/head.js/route";
import * as asyncScript from "@/app/onpage/[client_id]/async.js/route";
import * as badge from "@/app/onpage/[client_id]/badge.html/route";
import * as compatPart from "@/app/onpage/[client_id]/compat.js/route";
import * as formPart from "@/app/onpage/[client_id]/form.js/route";
import * as form from "@/app/onpage/[client_id]/form.json/route";
import * as styles from "@/app/onpage/[client_id]/head.css/route";
import * as script from "@/app/onpage/[client_id]/head.js/route";
import * as productScript from "@/app/onpage/[client_id]/prd.js/route";
import * as structuredData from "@/app/onpage/[client_id]/product.jsonld/route";
import * as questions from "@/app/onpage/[client_id]/questions.html/route";
import * as reviews from "@/app/onpage/[client_id]/reviews.html/route";
import * as seller from "@/app/onpage/[client_id]/seller.html/route";
import * as sellerReviews from "@/app/onpage/[client_id]/seller_reviews.json/route";
import { version } from "@/lib/display/widget/generated/assets";
import { languages } from "@/lib/platform/i18n/languages";
import { setClient } from "@/lib/settings/set-client";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  anAnswer,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
} from "@/lib/tools/test/factories";
import { expectError } from "@/lib/tools/test/lists";

const at = (id: string, file: string, query = "") => `/onpage/${id}/${file}${query && `?${query}`}`;

describe("the script", () => {
  it("is at most 12 kB gzipped, in every language", async () => {
    const shop = await aClient({ display_name: "Lanterna & Söner", config: { accent_color: "#2f6b5b" } });
    for (const lang of languages) {
      const { status, text, headers } = await call(script, "GET", at(shop.id, "head.js", `lang=${lang}`));
      expect([status, headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
      expect(text).toContain(`"lang":"${lang}"`);
      expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(12_000);
    }
  });

  it("is at most 18 kB gzipped with its compatibility with a hosted service, in every language", async () => {
    const shop = await aClient({ display_name: "Lanterna & Söner", config: { accent_color: "#2f6b5b" } });
    const sizeOf = (text: string) => gzipSync(text, { level: 9 }).length;
    const compat = sizeOf((await call(compatPart, "GET", at(shop.id, "compat.js"))).text);
    for (const lang of languages) {
      const { text } = await call(script, "GET", at(shop.id, "head.js", `lang=${lang}`));
      expect(sizeOf(text) + compat).toBeLessThanOrEqual(18_000);
    }
  });

  it("has the addresses that a hosted service's pages load", async () => {
    const shop = await aClient();
    const { text, headers } = await call(script, "GET", at(shop.id, "head.js", "lang=sv"));
    for (const [module, path] of [
      [productScript, `/onpage/${shop.id}/prd.js`],
      [asyncScript, `/onpage/${shop.id}/async.js`],
      [badgeScript, `/badge/${shop.id}/head.js`],
    ] as const) {
      const alias = await call(module, "GET", `${path}?lang=sv`);
      expect([alias.status, alias.text]).toEqual([200, text]);
      for (const name of ["etag", "cache-control", "content-type"])
        expect(alias.headers.get(name)).toBe(headers.get(name));
      expectError(await call(module, "GET", path.replace(shop.id, "nobody.example")), 404, "not_found");
    }
  });

  it("is a program with the client's messages, without secrets or style sheet URLs", async () => {
    const shop = await aClient({ locale: "sv_SE" });
    const { text } = await call(script, "GET", at(shop.id, "head.js"));
    expect(() => new Function(text)).not.toThrow();
    expect(text).toContain("Kundomdömen");
    expect(text).not.toContain(shop.key);
    expect((await call(script, "GET", at(shop.id, "head.js", "lang=de"))).text).toContain("Kundenbewertungen");
  });

  it("formats numbers and dates for the client's region, and English ones as the portal does", async () => {
    const localeIn = async (shop: { id: string }, lang: string) =>
      /"locale":"([^"]+)"/.exec((await call(script, "GET", at(shop.id, "head.js", `lang=${lang}`))).text)?.[1];
    const [plain, american, swedish] = [
      await aClient({ locale: "en" }),
      await aClient({ locale: "en_US" }),
      await aClient({ locale: "sv_SE" }),
    ];
    expect(await localeIn(plain, "en")).toBe("en-GB");
    expect(await localeIn(american, "en")).toBe("en-GB");
    expect(await localeIn(swedish, "sv")).toBe("sv-SE");
    expect(await localeIn(swedish, "en")).toBe("en-GB");
  });

  it("has a strong ETag per encoding, which changes with the client's settings", async () => {
    const shop = await aClient();
    const plain = { headers: { "accept-encoding": "identity" } };
    const tagOf = async (sent = plain) => (await call(script, "GET", at(shop.id, "head.js"), sent)).headers.get("etag");
    const tag = (await tagOf()) ?? "";
    expect(tag).toMatch(/^"[\w-]+"$/);
    const packed = await call(script, "GET", at(shop.id, "head.js"), { headers: { "accept-encoding": "gzip, br" } });
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(packed.headers.get("etag")).not.toBe(tag);
    const again = await call(script, "GET", at(shop.id, "head.js"), {
      headers: { ...plain.headers, "if-none-match": tag },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    await setClient(shop.id, { display_name: "Another name" });
    // Settings are cached for a second.
    await expect.poll(() => tagOf()).not.toBe(tag);
  });

  it("has versioned parts that can be cached forever", async () => {
    const shop = await aClient();
    for (const [part, file] of [
      [formPart, "form.js"],
      [compatPart, "compat.js"],
    ] as const) {
      const caching = async (query = "") =>
        (await call(part, "GET", at(shop.id, file, query))).headers.get("cache-control");
      expect(await caching(`v=${version}`)).toContain("immutable");
      expect(await caching("v=another")).not.toContain("immutable");
      expect(await caching()).not.toContain("immutable");
    }
  });

  it("has a form whose styles apply under scripts from before an upgrade, whose own styles have a prefix", async () => {
    const shop = await aClient();
    const { text } = await call(formPart, "GET", at(shop.id, "form.js"));
    expect(text).toContain(".candor .field{");
    expect((await call(script, "GET", at(shop.id, "head.js"))).text).not.toContain(".candor .badge");
  });

  it("is only served for existing clients", async () => {
    for (const [module, file] of [
      [script, "head.js"],
      [formPart, "form.js"],
      [compatPart, "compat.js"],
      [styles, "head.css"],
      [form, "form.json?key=a"],
      [structuredData, "product.jsonld?key=a"],
      [badge, "badge.html?key=a"],
      [reviews, "reviews.html?key=a"],
      [questions, "questions.html?key=a"],
      [seller, "seller.html"],
    ] as const)
      expectError(await call(module, "GET", at("nobody.example", file)), 404, "not_found");
    const shop = await aClient();
    for (const [module, file] of [
      [form, "form.json"],
      [structuredData, "product.jsonld"],
      [badge, "badge.html"],
      [reviews, "reviews.html"],
      [questions, "questions.html"],
    ] as const)
      expectError(await call(module, "GET", at(shop.id, file)), 400, "invalid_parameter");
    expectError(await call(reviews, "GET", at(shop.id, "reviews.html", "key=a&limit=0")), 400, "invalid_parameter");
  });
});

describe("the forms' fields", () => {
  it("follow the client's settings, in the visitor's language", async () => {
    const question = (id: string, more = {}) => ({
      id,
      type: "select",
      required: true,
      label: { en: "Fit", sv: "Passform" },
      options: [{ id: "small", label: { en: "Small", sv: "Liten" } }],
      ...more,
    });
    const shop = await aClient({
      collect_pros_cons: false,
      require_verification: true,
      min_review_words: 5,
      config: { terms_url: "https://shop.example/terms" },
      must_agree_to_terms_web: true,
      custom_questions: [question("fit"), question("burns", { categories: ["Stoves"] })],
    });
    await someProducts(shop.id, [{ id: "A/1", name: "Lamp", category: "Lamps" }]);
    const { json } = await call(form, "GET", at(shop.id, "form.json", "key=A%2F1&lang=sv"));
    expect(json).toMatchObject({
      api_key: shop.publicKey,
      product: { id: "A/1", family_id: null, name: "Lamp" },
      asks_points: false,
      asks_recommended: true,
      asks_questions: true,
      email_required: true,
      verifies: true,
      fewest_words: 5,
      terms: { url: "https://shop.example/terms", text: null },
      questions: [{ id: "fit", label: "Passform", required: true, options: [{ id: "small", label: "Liten" }] }],
      words: { send: "Skicka omdöme", intro_web: "Berätta vad du gillar och inte gillar." },
    });
  });

  it("say what the author gets while the store offers something", async () => {
    const shop = await aClient({ config: { incentive: "5 € {voucher}" } });
    const { json } = await call(form, "GET", at(shop.id, "form.json", "key=A&lang=en"));
    expect(json.words.intro_web).toMatch(/whatever rating you give, .* You get: 5 € {voucher}$/);
  });
});

describe("HTML for stores without scripts", () => {
  const attack = `<script>alert(1)</script>`;

  it("shows accepted reviews immediately, as text, with structured data", async () => {
    const shop = await aClient();
    const { id } = shop;
    const [first = ""] = await someReviews(id, [
      {
        ...{ product_id: "A", author: attack, extract: attack, product_name: attack, accepted: true, score: 4 },
        incentivized: true,
      },
      { product_id: "A", extract: "Waits.", accepted: null },
    ]);
    const shown = async () => (await call(reviews, "GET", at(id, "reviews.html", "key=A"))).text;
    const text = await shown();
    expect(text).toContain(`/onpage/${id}/head.css?v=${version}`);
    expect(text.match(/<article>/g)).toHaveLength(1);
    expect(text).toContain("&lt;script&gt;alert(1)");
    expect(text).not.toContain(attack);
    expect(text).not.toContain("Waits.");
    expect(text).toContain("<span>Reward offered</span>");
    const [, data = ""] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(data)).toMatchObject({
      aggregateRating: { ratingValue: 4, reviewCount: 1 },
      review: [{ reviewBody: attack, author: { name: attack } }],
    });
    expect((await call(badge, "GET", at(id, "badge.html", "key=A"))).text).toContain("1 review");
    await rowsOf("update reviews set accepted = false, accepted_at = null, reject_reason = 'spam' where id = $1", [
      first,
    ]);
    expect(await shown()).not.toContain("<article>");
  });

  it("runs nothing if a fragment is opened directly", async () => {
    const { id } = await aClient();
    for (const [module, name] of [
      [badge, "badge.html"],
      [reviews, "reviews.html"],
      [questions, "questions.html"],
      [seller, "seller.html"],
    ] as const) {
      const { headers } = await call(module, "GET", at(id, name, name === "seller.html" ? "" : "key=A"));
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy, name).toMatch(/^default-src 'none';.*; sandbox /);
      expect(policy, name).not.toMatch(/script-src|allow-scripts|allow-same-origin/);
    }
  });

  it("has no structured data for a product without reviews", async () => {
    const { id } = await aClient();
    await someProducts(id, [{ id: "A", name: "Lamp" }]);
    expect((await call(reviews, "GET", at(id, "reviews.html", "key=A"))).text).not.toContain("ld+json");
    const none = await call(structuredData, "GET", at(id, "product.jsonld", "key=A"));
    expect([none.status, none.text]).toEqual([204, ""]);
    await someReviews(id, [{ product_id: "A", accepted: true }]);
    const one = await call(structuredData, "GET", at(id, "product.jsonld", "key=A"));
    expect([one.status, one.headers.get("content-type")]).toEqual([200, "application/ld+json; charset=utf-8"]);
    expect(JSON.parse(one.text)).toMatchObject({ name: "Lamp", sku: "A", aggregateRating: { reviewCount: 1 } });
    const tag = one.headers.get("etag") ?? "";
    const again = await call(structuredData, "GET", at(id, "product.jsonld", "key=A"), {
      headers: { "if-none-match": tag },
    });
    expect(again.status).toBe(304);
  });

  it("doesn't describe another product of the family if the requested one isn't in the catalog", async () => {
    const { id } = await aClient();
    await someProducts(id, [{ id: "KNOWN", family_id: "F", name: "Lamp, small" }]);
    await someReviews(id, [{ product_id: "NEW", product_name: "Lamp, large", accepted: true }]);
    const dataFor = async (query: string) =>
      JSON.parse((await call(structuredData, "GET", at(id, "product.jsonld", query))).text);
    expect(await dataFor("key=NEW&url_key=F")).toMatchObject({ name: "Lamp, large", sku: "NEW" });
    await someReviews(id, [{ product_id: "KNOWN", family_id: "F", accepted: true }]);
    expect(await dataFor("key=&url_key=F")).toMatchObject({ name: "Lamp, small", sku: "KNOWN" });
  });

  it("shows answered questions, and the store's rating", async () => {
    const { id } = await aClient({ display_name: "Lanterna" });
    const [answeredId = ""] = await someQuestions(id, [
      { product_id: "A", question: "Which bulb?", accepted: true },
      { product_id: "A", question: "Nobody knows?", accepted: true },
    ]);
    await anAnswer(id, answeredId, { answer: "E27, as always." });
    const { text } = await call(questions, "GET", at(id, "questions.html", "key=A"));
    expect(text).toContain("E27, as always.");
    expect(text).not.toContain("Nobody knows?");
    expect((await call(seller, "GET", at(id, "seller.html"))).text).not.toContain("badge");
    await someSellerReviews(id, [
      { score: 5, accepted: true },
      { score: 4, accepted: true },
    ]);
    expect((await call(seller, "GET", at(id, "seller.html", "lang=de"))).text).toMatch(/4,5.*Lanterna · 2 Bewertungen/);
  });

  it("escapes hostile texts about the store, for every request", async () => {
    const texts = [
      "<script>pwned()</script>",
      '"><svg onload=pwned()>',
      "' onfocus=pwned() autofocus x='",
      "</script><!--<script>pwned()",
      "x\u2028pwned()\u2029//'-pwned()-'\\",
      "&lt;img src=x onerror=pwned()&gt;",
    ];
    const { id } = await aClient({ display_name: texts[1] });
    await someSellerReviews(
      id,
      texts.map((text) => ({ accepted: true, author: text, extract: text })),
    );
    const html = (await call(seller, "GET", at(id, "seller.html"))).text;
    expect(html).toContain("&lt;svg onload=pwned()&gt;");
    expect(html).not.toMatch(/<(svg onload|script|img)/);
    const json = await call(sellerReviews, "GET", at(id, "seller_reviews.json", "limit=100"));
    expect(json.headers.get("content-type")).toMatch(/^application\/json/);
    expect(json.headers.get("x-content-type-options")).toBe("nosniff");
    const padded = await call(sellerReviews, "GET", at(id, "seller_reviews.json", "limit=100&callback=told"));
    expect(padded.headers.get("content-type")).toMatch(/^(application|text)\/javascript/);
    expect(padded.headers.get("x-content-type-options")).toBe("nosniff");
    const received: unknown[] = [];
    new Function("told", padded.text)((value: unknown) => received.push(value));
    for (const answer of [json.text, JSON.stringify(received[0])]) {
      const found: unknown[] = [];
      JSON.parse(answer, (_, value) => {
        found.push(value);
        return value;
      });
      for (const text of texts) expect(found).toContain(text);
    }
  });

  it("has the client's colors", async () => {
    const { id } = await aClient({ config: { accent_color: "#2f6b5b" } });
    const { text, headers } = await call(styles, "GET", at(id, "head.css"));
    expect(headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(text).toContain("--shop:#2f6b5b");
  });
});
