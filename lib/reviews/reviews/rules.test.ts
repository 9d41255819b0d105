import { describe, expect, it } from "vitest";
import {
  countWords,
  minWordsFor,
  pickCollected,
  type SubmissionSettings,
  validateSubmission,
} from "@/lib/reviews/reviews/rules";

const settings: SubmissionSettings = {
  min_review_words: null,
  min_review_words_promoter: null,
  collect_pros_cons: true,
  collect_recommended: true,
  require_verification: false,
  custom_questions: [],
};
const order = { orderId: "o", customerId: "c", invitationId: null };
const subject = { source: "collect", productId: "p" } as const;

describe("countWords", () => {
  it("counts words in any script, without punctuation", () => {
    expect(countWords("Good, really good! 5/5 :-)")).toBe(5);
    expect(countWords("   … !!! 👍")).toBe(0);
    expect(countWords("これはとても良い商品です")).toBeGreaterThan(3);
    expect(countWords("ไม่ดีเลย")).toBeGreaterThan(1);
    expect(countWords("word ".repeat(60_000), 3)).toBe(3);
  });
});

describe("minWordsFor", () => {
  it("depends on the score only for verified buyers, and only if set", () => {
    const both = { ...settings, min_review_words: 10, min_review_words_promoter: 0 };
    expect(minWordsFor(both, { score: 5, order })).toBe(0);
    expect(minWordsFor(both, { score: 4, order })).toBe(0);
    expect(minWordsFor(both, { score: 3, order })).toBe(10);
    expect(minWordsFor(both, { score: 5, order: null })).toBe(10);
    expect(minWordsFor({ ...both, min_review_words_promoter: null }, { score: 5, order })).toBe(10);
    expect(minWordsFor(settings, { score: 1, order: null })).toBe(0);
  });
});

describe("validateSubmission", () => {
  const fields = (given: Partial<SubmissionSettings>, submission: Parameters<typeof validateSubmission>[1]) =>
    validateSubmission({ ...settings, ...given }, submission, null).issues.map(({ field }) => field);

  it("returns all errors together", () => {
    expect(
      fields(
        { min_review_words: 3, require_verification: true },
        { source: "web", content: "too short", answers: { nope: 1 } },
      ),
    ).toEqual(["product_id", "author_email", "content", "custom_questions.nope"]);
  });

  it("treats an invited customer's address as verified", () => {
    expect(fields({ require_verification: true }, { ...subject, source: "invitation" })).toEqual([]);
    expect(fields({ require_verification: true }, { ...subject, authorEmail: "a@b.example" })).toEqual([]);
  });

  it("accepts a family instead of a product", () => {
    expect(fields({}, { source: "web", familyId: "f" })).toEqual([]);
  });
});

describe("pickCollected", () => {
  it("drops what the client doesn't collect, and blanks", () => {
    const given = { pros: [" light ", ""], cons: ["dear"], recommended: true };
    expect(pickCollected(settings, given)).toEqual({ pros: ["light"], cons: ["dear"], recommended: true });
    expect(pickCollected({ ...settings, collect_pros_cons: false, collect_recommended: false }, given)).toEqual({
      pros: [],
      cons: [],
      recommended: null,
    });
  });
});
