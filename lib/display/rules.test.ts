import { describe, expect, it } from "vitest";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { answerTotals } from "@/lib/catalog/summaries/answer-totals";
import { externalDisplay, linkedLanguage, listedLanguages } from "@/lib/display/rules";

const question = (given: Partial<CustomQuestion> & { id: string }): CustomQuestion => ({
  type: "text",
  multiple: false,
  required: false,
  categories: [],
  options: [],
  label: {},
  ...given,
});

describe("the language of a list", () => {
  it("is exactly ours, and wider for a code of a hosted service", () => {
    expect(["pt-BR", "sv"].map(listedLanguages)).toEqual([["pt-BR"], ["sv"]]);
    expect(listedLanguages("sv_SE")).toEqual(["sv_SE", "sv-SE", "sv"]);
  });

  it.each<[code: string, languages: string[], linked: string | undefined]>([
    ["sv_SE", ["sv-FI", "sv-SE"], "sv_SE"],
    ["sv_SE", ["sv-SE", "sv"], "sv_SE"],
    ["sv_SE", ["en", "sv-FI", "sv-NO"], "sv-FI"],
    ["sv_SE", ["en"], undefined],
    ["sv", ["sv-SE", "sv"], "sv"],
    ["sv", ["sv-SE"], "sv-SE"],
    ["SV", ["sv"], "sv"],
    ["pt-BR", ["pt", "pt-BR"], "pt-BR"],
    ["pt-BR", ["pt", "pt-PT"], undefined],
  ])("in a summary for %s beside reviews in %j is %s", (code, languages, linked) => {
    expect(linkedLanguage(code, languages)).toBe(linked);
  });
});

describe("answerTotals", () => {
  it("lists every option, averages scores, and leaves texts out", () => {
    const questions = [
      question({
        id: "q1",
        name: "fit",
        type: "select",
        options: ["small", "normal", "large"].map((id) => ({ id, label: {} })),
      }),
      question({ id: "comfort", type: "score" }),
      question({ id: "use" }),
    ];
    const given = [
      { facet: "answer.fit", value: "", count: 17 },
      { facet: "answer.fit", value: "normal", count: 15 },
      { facet: "answer.fit", value: "small", count: 2 },
      { facet: "answer.fit", value: "an option of long ago", count: 1 },
      { facet: "answer.comfort", value: "", count: 3 },
      { facet: "answer.comfort", value: "5", count: 1 },
      { facet: "answer.comfort", value: "4", count: 2 },
      { facet: "answer.use", value: "daily", count: 1 },
      { facet: "lang", value: "en", count: 20 },
    ];
    expect(answerTotals(questions, given)).toEqual([
      {
        name: "fit",
        type: "select",
        count: 17,
        options: [
          { value: "small", count: 2 },
          { value: "normal", count: 15 },
          { value: "large", count: 0 },
        ],
      },
      { name: "comfort", type: "score", count: 3, avg_score: 4.33 },
    ]);
    expect(answerTotals([question({ id: "use" })], given)).toBeNull();
  });
});

describe("externalDisplay", () => {
  const total = { locale: "", country: "", url: null, score_dist: [0, 0, 0, 0, 2], count: 2, points: 20 };
  const totals = [
    {
      ...total,
      kind: "user" as const,
      locale: "sv_SE",
      country: "SE",
      url: "https://a.example",
      score_dist: [1, 0, 0, 0, 3],
      count: 4,
      points: 32,
    },
    { ...total, kind: "user" as const, locale: "en_US", country: "US" },
    { ...total, kind: "pro" as const, locale: "sv_SE", country: "SE" },
    { ...total, kind: "pro" as const, score_dist: [0, 0, 0, 0, 0], count: 1, points: null },
  ];
  const settings = {
    external_pro_reviews: false,
    external_user_reviews: true,
    external_review_locale: "",
    external_review_countries: null,
  };

  it("includes all in the score, and shows only enabled and listed ones", () => {
    expect(externalDisplay(settings, totals)).toEqual({
      pro: expect.objectContaining({ dist: [0, 0, 0, 0, 2], shown: 0, url: null }),
      user: expect.objectContaining({ dist: [1, 0, 0, 0, 5], shown: 6, url: "https://a.example" }),
      all: { proShown: 0, userShown: 6, count: 9, weight: 8, points: 72 },
    });
    expect(externalDisplay({ ...settings, external_review_locale: "en-us, de_DE" }, totals).user).toMatchObject({
      shown: 2,
      url: null,
    });
    expect(externalDisplay({ ...settings, external_review_countries: "se" }, totals).user.shown).toBe(4);
  });
});
