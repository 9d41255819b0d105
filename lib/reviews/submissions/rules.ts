import type { Issue, Reason } from "@/lib/platform/issue";

/** What reviews and questions that visitors submit have in common, and the rules that hold for both. Browser-safe. */

/** The common part of a submission: shape checked, rules not yet. */
export type Submission = {
  /** one of product and family is known */
  productId: string | null;
  familyId: string | null;
  productName: string | null;
  productUrl: string | null;
  author: string;
  authorEmail: string | null;
  authorIp: string | null;
  /** to custom questions, by id or name of the question */
  answers: Record<string, unknown>;
  /** tokens of uploads, in order */
  images: string[];
  /** null: to be detected */
  lang: string | null;
  termsAgreed: boolean;
};

/** What is wrong with the common part: a product and, where the shop must be able to write to the author, an address. */
export function commonIssues(
  { productId, familyId, authorEmail }: Partial<Submission>,
  { needsEmail }: { needsEmail: false | Reason },
): Issue[] {
  const issues: Issue[] = [];
  if (!productId && !familyId) issues.push({ field: "product_id", reason: "required" });
  if (needsEmail && !authorEmail) issues.push({ field: "author_email", reason: needsEmail });
  return issues;
}
