import type { FormQuestion, ItemValues } from "@/lib/forms/schema";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";

/** The part of a submission that comes from an item's controls. */
type SubmissionContent = Pick<
  ReviewSubmission,
  "score" | "title" | "content" | "pros" | "cons" | "recommended" | "answers" | "images"
>;

/** Converts an item's values to submission content. `questions` are those shown with the item. */
export const toSubmissionContent = (values: ItemValues, questions: FormQuestion[]): SubmissionContent => ({
  score: Number(values.score),
  title: values.title.trim() || null,
  content: values.content.trim(),
  pros: values.pros,
  cons: values.cons,
  recommended: values.recommended === "" ? null : values.recommended === "yes",
  answers: Object.fromEntries(
    questions.map(({ id, type, multiple }) => {
      const answer = values.answers[id] ?? [];
      return [id, multiple ? answer : type === "score" ? Number(answer[0] ?? 0) || null : (answer[0] ?? null)];
    }),
  ),
  images: values.images,
});
