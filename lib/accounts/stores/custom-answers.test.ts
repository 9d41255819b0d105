import { describe, expect, it } from "vitest";
import { questionsFor, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";

const question = (given: Partial<CustomQuestion> & { id: string }): CustomQuestion => ({
  type: "text",
  multiple: false,
  required: false,
  categories: [],
  options: [],
  label: { en: given.id },
  ...given,
});
const options = [
  { id: "small", label: {} },
  { id: "large", label: {} },
];
const questions = [
  question({ id: "q1", name: "fit", type: "select", options }),
  question({ id: "q2", name: "colours", type: "select", multiple: true, options }),
  question({ id: "comfort", type: "score" }),
  question({ id: "use" }),
  question({ id: "mount", required: true, categories: ["Cameras > Lenses"] }),
];
const validate = (given: Record<string, unknown>, category: string | null = null) =>
  validateAnswers(questions, given, category);
const issuesOfAnswers = (given: Record<string, unknown>, category: string | null = null) =>
  validate(given, category).issues.map(({ field }) => field);

describe("validateAnswers", () => {
  it("accepts ids and names as keys and stores names", () => {
    expect(validate({ q1: "small", colours: ["small", "large", "small"], comfort: 4, use: "daily" })).toEqual({
      answers: { fit: "small", colours: ["small", "large"], comfort: 4, use: "daily" },
      issues: [],
    });
    expect(validate({ q2: "small" }).answers).toEqual({ colours: ["small"] });
  });

  it("rejects invalid answers, each at its own key", () => {
    expect(issuesOfAnswers({ nope: 1, fit: "medium", comfort: 6, use: 5, q2: [1], __proto__: 1 })).toEqual(
      ["nope", "fit", "comfort", "use", "q2"].map((key) => `custom_questions.${key}`),
    );
    expect(issuesOfAnswers({ fit: ["small"] })).toEqual(["custom_questions.fit"]);
    expect(issuesOfAnswers({ comfort: "4" })).toEqual(["custom_questions.comfort"]);
    expect(issuesOfAnswers({ q1: "small", fit: "large" })).toEqual(["custom_questions.fit"]);
    expect(issuesOfAnswers(JSON.parse('{"__proto__":"x"}'))).toEqual(["custom_questions.__proto__"]);
  });

  it("counts text length in characters", () => {
    expect(issuesOfAnswers({ use: "😀".repeat(2_000) })).toEqual([]);
    expect(issuesOfAnswers({ use: "😀".repeat(2_001) })).toEqual(["custom_questions.use"]);
  });

  it("treats an empty value as no answer", () => {
    expect(validate({ fit: "", colours: [], comfort: null })).toEqual({ answers: {}, issues: [] });
  });

  it("reports a wrong answer to a required question once, under the key it was sent with", () => {
    const requiredQuestions = [question({ id: "q9", name: "grip", type: "score", required: true })];
    const issuesOf = (given: Record<string, unknown>) => validateAnswers(requiredQuestions, given, null).issues;
    expect(issuesOf({ q9: 6 })).toEqual([
      { field: "custom_questions.q9", reason: "not_a_count_between", params: { min: 1, max: 5 } },
    ]);
    expect(issuesOf({ grip: 6 }).map(({ field }) => field)).toEqual(["custom_questions.grip"]);
    expect(issuesOf({ q9: null })).toEqual([{ field: "custom_questions.grip", reason: "required" }]);
    expect(issuesOf({ q9: 3, grip: 6 }).map(({ field }) => field)).toEqual(["custom_questions.grip"]);
  });

  it("requires an answer only if the question applies to the category", () => {
    expect(issuesOfAnswers({})).toEqual([]);
    expect(issuesOfAnswers({}, "Cameras > Lenses > Macro")).toEqual(["custom_questions.mount"]);
    expect(issuesOfAnswers({ mount: "" }, "Cameras > Lenses")).toEqual(["custom_questions.mount"]);
    expect(issuesOfAnswers({ mount: 5 }, "Cameras > Lenses")).toEqual(["custom_questions.mount"]);
    expect(questionsFor(questions, "Cameras > Lenses for all").map(({ id }) => id)).not.toContain("mount");
  });
});
