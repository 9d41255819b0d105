import type { Issue, Reason } from "@/lib/platform/issue";

/** What submitted reviews and questions have in common, and the rules for both. Browser-safe. */

/** The common part of a submission: shape checked, rules not yet. */
export type Submission = {
  /** Product or family is set. */
  productId: string | null;
  familyId: string | null;
  productName: string | null;
  productUrl: string | null;
  author: string;
  authorEmail: string | null;
  authorIp: string | null;
  /** Answers to custom questions, by the question's id or name. */
  answers: Record<string, unknown>;
  /** Upload tokens, in order. */
  images: string[];
  /** Null: to be detected. */
  lang: string | null;
  termsAgreed: boolean;
};

/** Validates the common part: requires a product and, if the store must be able to email the author, an address. */
export function commonIssues(
  { productId, familyId, authorEmail }: Partial<Submission>,
  { needsEmail }: { needsEmail: false | Reason },
): Issue[] {
  const issues: Issue[] = [];
  if (!productId && !familyId) issues.push({ field: "product_id", reason: "required" });
  if (needsEmail && !authorEmail) issues.push({ field: "author_email", reason: needsEmail });
  return issues;
}
