import { describe, expect, it } from "vitest";
import { displayedResponses } from "@/lib/display/rules";
import { html } from "@/lib/display/widget/html";
import { structuredData, toScriptJson } from "@/lib/display/widget/structured-data";
import type { Review, Summary } from "@/lib/display/widget/types";
import { viewsOf } from "@/lib/display/widget/views";
import type { Language } from "@/lib/platform/i18n/languages";
import { widgetMessages } from "@/lib/platform/i18n/public-texts";

const views = (lang: Language = "en", locale: string = lang) =>
  viewsOf(html, {
    client: "shop.example",
    origin: "https://reviews.example",
    honesty: "https://reviews.example/honesty/shop.example",
    badge: null,
    shop: "Shop <b>& Co</b>",
    version: "1",
    lang,
    locale,
    messages: widgetMessages(lang),
    questions: true,
    reviewQuestions: { fit: { label: "Fit", options: { small: "Too small" } } },
    css: "",
  });

const attack = `"><img src=x onerror=alert(1)><script>alert(1)</script>' onmouseover='x`;
const review = (given: Partial<Review> = {}): Review => ({
  id: "1",
  type: "customer",
  author: "Ada",
  score: 4,
  score_max: 5,
  date: "2026-03-05",
  extract: "Good.",
  pros: [],
  cons: [],
  lang: "en",
  verified_buyer: true,
  votes_up: 0,
  votes_down: 0,
  product: "Lamp",
  responses: [],
  images: [],
  properties: {},
  feedback_url: "https://reviews.example/collect/feedback/x",
  client_id: "shop.example",
  source: "Shop",
  domain: "shop.example",
  icon: null,
  link: null,
  question_answers: [],
  original: null,
  ...given,
});

describe("HTML of the widget's views", () => {
  it("contains user content as text, in every position", () => {
    const { text } = views().review(
      review({
        author: attack,
        extract: attack,
        pros: [attack],
        cons: [attack],
        lang: attack,
        product: attack,
        properties: { title: attack, fit: attack },
        responses: displayedResponses([
          { author: attack, date: "2026-03-06", extract: attack, lang: attack, updated_at: "" },
        ]),
      }),
      {},
      "Another",
    );
    expect(text).not.toMatch(/<(img|script)|"\s*>\s*<img/);
    expect(text.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)?.length).toBeGreaterThanOrEqual(8);
    // A quote inside an attribute can't end it.
    expect(text).toContain(`lang="&quot;&gt;&lt;img`);
  });

  it("links to http(s) URLs only", () => {
    const at = (href: string) => html("a", { href }, "x").text;
    expect(at("https://shop.example/?a=1&b=2")).toBe('<a href="https://shop.example/?a=1&amp;b=2">x</a>');
    for (const bad of ["javascript:alert(1)", " javascript:alert(1)", "data:text/html,x", "//evil.example"])
      expect(at(bad)).toBe("<a>x</a>");
  });

  it("formats numbers, dates and plurals for the language", () => {
    expect(
      views("de", "de-AT")
        .rating(4.25, 1)
        .map((part) => (part ? part.text : ""))
        .join(""),
    ).toMatch(/4,3.*1 Bewertung</);
    expect(views("sv").review(review()).text).toContain("5 mars 2026");
    expect(views("en", "en-GB").review(review()).text).toContain("5 Mar 2026");
    expect(views("fr").t("stars", { n: 0 })).toBe("0 étoile");
    expect(views("en", "en-GB").t("count", { n: 1234 })).toBe("1,234 reviews");
  });

  it("says beside a review if its author was offered something", () => {
    const { incentivized: _, ...plain } = review();
    for (const show of [views().review, views().sellerReview]) {
      expect(show(plain).text).not.toContain("Reward");
      expect(show({ ...plain, incentivized: true }).text).toContain("<span>Reward offered</span>");
    }
  });

  it("shows answers to the store's custom questions with their labels", () => {
    expect(views().review(review({ properties: { fit: "small", other: "hidden" } })).text).toMatch(
      /<dt>Fit<\/dt><dd>Too small<\/dd>/,
    );
    const totals = [{ name: "fit", type: "select" as const, count: 4, options: [{ value: "small", count: 1 }] }];
    const { text } = views().overview({ ...summary, your_review_answers: totals }, null);
    expect(text).toMatch(/Too small.*width="25%"/);
  });
});

const summary: Summary = {
  score: 8,
  pro_score_dist_all: [0, 0, 0, 0, 0],
  user_score_dist_all: [0, 0, 0, 0, 0],
  product_pros: [],
  product_cons: [],
  pro_review_count: 0,
  pro_review_url: null,
  pro_review_page_url: null,
  user_review_count: 0,
  user_review_url: null,
  user_review_page_url: null,
  your_review_count: 4,
  your_review_url: "https://reviews.example/list",
  your_avg_score: 4,
  your_score_dist: [0, 0, 0, 4, 0],
  your_photo_review_count: 0,
  your_verified_review_count: 0,
  your_review_languages: [],
  your_review_answers: null,
  your_question_count: 0,
  your_question_url: null,
  write_review_url: "https://reviews.example/reviews/new",
  ask_question_url: null,
  feedback_enabled: true,
  videos: [],
};

describe("structured data", () => {
  const lamp = {
    id: "L-1",
    name: "Lamp",
    url: "https://shop.example/lamp",
    image_url: null,
    brand: "Lanterna",
    mpn: null,
    gtin14s: ["00012345678905"],
  };

  it("contains a product with its rating and reviews", () => {
    const given = { id: "L-1", name: null };
    expect(structuredData(lamp, given, summary, [review({ properties: { title: "Fine" } })])).toEqual({
      "@context": "https://schema.org",
      "@type": "Product",
      "@id": "https://shop.example/lamp",
      name: "Lamp",
      sku: "L-1",
      url: "https://shop.example/lamp",
      brand: { "@type": "Brand", name: "Lanterna" },
      gtin14: "00012345678905",
      aggregateRating: { "@type": "AggregateRating", ratingValue: 4, reviewCount: 4, bestRating: 5, worstRating: 1 },
      review: [
        {
          "@type": "Review",
          author: { "@type": "Person", name: "Ada" },
          datePublished: "2026-03-05",
          name: "Fine",
          reviewBody: "Good.",
          inLanguage: "en",
          reviewRating: { "@type": "Rating", ratingValue: 4, bestRating: 5, worstRating: 1 },
        },
      ],
    });
  });

  it("is null for a product without reviews", () => {
    expect(
      structuredData(lamp, { id: "L-1", name: null }, { your_review_count: 0, your_avg_score: null }, []),
    ).toBeNull();
  });

  it("can't end the script element that contains it", () => {
    const data = structuredData(null, { id: "x", name: attack }, summary, [review({ extract: attack })]);
    expect(toScriptJson(data as Record<string, unknown>)).not.toContain("<");
    expect(JSON.parse(toScriptJson(data as Record<string, unknown>))).toEqual(data);
  });
});
