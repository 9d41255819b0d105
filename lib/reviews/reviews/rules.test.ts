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
  it("counts words of any script and no punctuation", () => {
    expect(countWords("Good, really good! 5/5 :-)")).toBe(5);
    expect(countWords("   … !!! 👍")).toBe(0);
    expect(countWords("これはとても良い商品です")).toBeGreaterThan(3);
    expect(countWords("ไม่ดีเลย")).toBeGreaterThan(1);
    expect(countWords("word ".repeat(60_000), 3)).toBe(3);
  });
});

describe("fewestWords", () => {
  it("looks at the score of verified buyers only, where the setting exists", () => {
    const both = { ...settings, min_review_words: 10, min_review_words_promoter: 0 };
    expect(minWordsFor(both, { score: 5, order })).toBe(0);
    expect(minWordsFor(both, { score: 4, order })).toBe(0);
    expect(minWordsFor(both, { score: 3, order })).toBe(10);
    expect(minWordsFor(both, { score: 5, order: null })).toBe(10);
    expect(minWordsFor({ ...both, min_review_words_promoter: null }, { score: 5, order })).toBe(10);
    expect(minWordsFor(settings, { score: 1, order: null })).toBe(0);
  });
});

describe("judgeSubmission", () => {
  const fields = (given: Partial<SubmissionSettings>, submission: Parameters<typeof validateSubmission>[1]) =>
    validateSubmission({ ...settings, ...given }, submission, null).issues.map(({ field }) => field);

  it("lists everything at once", () => {
    expect(
      fields(
        { min_review_words: 3, require_verification: true },
        { source: "web", content: "too short", answers: { nope: 1 } },
      ),
    ).toEqual(["product_id", "author_email", "content", "custom_questions.nope"]);
  });

  it("takes an invited customer's address for verified", () => {
    expect(fields({ require_verification: true }, { ...subject, source: "invitation" })).toEqual([]);
    expect(fields({ require_verification: true }, { ...subject, authorEmail: "a@b.example" })).toEqual([]);
  });

  it("accepts a family in place of a product", () => {
    expect(fields({}, { source: "web", familyId: "f" })).toEqual([]);
  });
});

describe("collected", () => {
  it("leaves out what the client does not collect, and blanks", () => {
    const given = { pros: [" light ", ""], cons: ["dear"], recommended: true };
    expect(pickCollected(settings, given)).toEqual({ pros: ["light"], cons: ["dear"], recommended: true });
    expect(pickCollected({ ...settings, collect_pros_cons: false, collect_recommended: false }, given)).toEqual({
      pros: [],
      cons: [],
      recommended: null,
    });
  });
});
