import { authorIssues, emailIssues, emptyTextWarnings, isScore, issuesAt, itemIssues } from "@/lib/forms/issues";
import { isWithinRateLimit } from "@/lib/forms/rate-limit";
import { readForm } from "@/lib/forms/read-form";
import type { FormIssue, FormQuestion, FormState, FormValues, ItemValues } from "@/lib/forms/schema";
import { storePhotos } from "@/lib/forms/store-photos";
import { toSubmissionContent } from "@/lib/forms/submission-content";
import {
  type OpenWebForm,
  openWebForm,
  POSITION,
  toWebForm,
  type WebFormLink,
} from "@/lib/forms/web-form/open-web-form";
import { AppError } from "@/lib/platform/errors";
import { publicText } from "@/lib/platform/i18n/public-texts";
import type { Issue } from "@/lib/platform/issue";
import type { ReviewSubmission } from "@/lib/reviews/reviews/rules";
import { submissionIssues, submitReview } from "@/lib/reviews/reviews/submit-review";
import { submissionReceipt } from "@/lib/reviews/submissions/submission-receipt";

const NAME = `items.${POSITION}`;

/** The result: issues with all input, or that the review is stored, with its receipt's token. */
export type WebFormOutcome = { state: NonNullable<FormState> } | { receipt: string | null };

/**
 * Stores the web form as a pending review of an unverified author. If there are issues, returns all of them in the
 * form's language and stores nothing but uploaded photos, which are retained for the next try. `address` is the
 * sender's IP address. Throws `not_found` if the link has no client or product.
 */
export async function submitWebForm(
  link: WebFormLink,
  form: FormData,
  address: string | null,
): Promise<WebFormOutcome> {
  const open = await openWebForm(link);
  if (open.state !== "open") throw new AppError("not_found", { reason: "link_without_form" });
  const { client, language } = open;
  const t = publicText(language);
  const { items } = toWebForm(open);
  const sent = readForm(form, { items });
  const values = sent.values.items[POSITION] as ItemValues;
  const visitor = `${client.id}|${address ?? ""}`;
  if (!isWithinRateLimit(visitor))
    return { state: { issues: [{ field: "send", message: t("form.errorBusy") }], values: sent.values } };
  const photoIssues = await storePhotos(sent, { client, visitor, t });
  const submission = toSubmission(open, sent.values, items[0]?.questions ?? [], address);
  const typed = [
    ...itemIssues(NAME, values, t),
    ...photoIssues,
    ...authorIssues(sent.values, { mustAgree: client.must_agree_to_terms_web }, t),
    ...emailIssues(sent.values, t),
  ];
  if (typed.length === 0 && !sent.warned) {
    const warnings = emptyTextWarnings([{ name: NAME, values, questions: items[0]?.questions ?? [] }], t);
    if (warnings.length > 0 && (await submissionIssues(client, submission)).length === 0)
      return { state: { issues: warnings, values: sent.values, warned: true } };
  }
  // Storage validates as well, and only storage recognizes a repeated submission.
  const stored =
    typed.length > 0
      ? await submissionIssues(client, { ...submission, score: isScore(values.score) ? submission.score : undefined })
      : await submitReview(client, submission).catch(issuesOf);
  if (!Array.isArray(stored)) return { receipt: await submissionReceipt(client.id, "review", stored) };
  const formIssues = issuesAt(NAME, stored, { client, submission, values, t });
  const issues = [...typed, ...formIssues].sort((one, other) => fieldOrder(one) - fieldOrder(other));
  return { state: { issues, values: sent.values } };
}

/** Sorts issues from top to bottom: the item's, then the author's. */
const fieldOrder = ({ field }: FormIssue): number => ["author", "email", "terms"].indexOf(field);

function toSubmission(
  { client, subject }: OpenWebForm,
  values: FormValues,
  questions: FormQuestion[],
  address: string | null,
): ReviewSubmission {
  return {
    source: "web",
    productId: subject.productId,
    familyId: subject.familyId,
    productName: subject.name,
    productUrl: subject.url,
    // Only items of an order have a category.
    category: null,
    author: values.author.trim(),
    authorEmail: values.email.trim() || null,
    authorIp: address,
    ...toSubmissionContent(values.items[POSITION] as ItemValues, questions),
    lang: null,
    order: null,
    termsAgreed: client.must_agree_to_terms_web && values.terms,
  };
}

function issuesOf(error: unknown): Issue[] {
  if (error instanceof AppError && error.code === "invalid_field") return [...error.issues];
  throw error;
}
