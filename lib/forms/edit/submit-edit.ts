import type { PoolClient } from "pg";
import type { EditSubject } from "@/lib/forms/edit/links";
import { type OpenEdit, openEdit } from "@/lib/forms/edit/open-edit";
import { buyerOrder, POSITION, toReviewEditForm } from "@/lib/forms/edit/to-edit-form";
import { authorIssues, isScore, issuesAt, itemIssues, longIssues } from "@/lib/forms/issues";
import { questionFormIssues, readQuestionForm } from "@/lib/forms/question-form/question-form";
import type { QuestionValues } from "@/lib/forms/question-form/schema";
import { isWithinRateLimit } from "@/lib/forms/rate-limit";
import { readForm } from "@/lib/forms/read-form";
import type { FormIssue, FormState, FormValues, ItemValues } from "@/lib/forms/schema";
import { storePhotos } from "@/lib/forms/store-photos";
import { toSubmissionContent } from "@/lib/forms/submission-content";
import { confirmItem } from "@/lib/forms/verification/confirm-item";
import { pool, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { publicText } from "@/lib/platform/i18n/public-texts";
import type { Issue } from "@/lib/platform/issue";
import { editQuestion, type QuestionToEdit } from "@/lib/reviews/questions/edit-question";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { editReview, type ReviewToEdit } from "@/lib/reviews/reviews/edit-review";
import { pickCollected, type ReviewSubmission, validateSubmission } from "@/lib/reviews/reviews/rules";
import { editSellerReview, type SellerReviewToEdit } from "@/lib/reviews/seller-reviews/edit-seller-review";
import { uploadIssues } from "@/lib/reviews/uploads/claim-uploads";
import { isAuthor } from "./sql";

const NAME = `items.${POSITION}`;

type Changed = { changed: boolean; accepted: boolean | null };

/**
 * Stores an author's edit of a review or seller review, sent through an emailed link. Returns null if the item is
 * pending with the new text (the old text goes to its history), or already was, as after a double click. Otherwise
 * returns all issues and stores nothing; resubmitting a rejected text unchanged is an issue. `address` is the sender's
 * IP address. Throws `not_found` if the link is unknown, expired or for another kind.
 */
export async function submitEdit(token: string, form: FormData, address: string | null): Promise<FormState> {
  const open = await requireOpenEdit(token);
  const { edited } = open;
  if (edited.kind === "question") throw notFound();
  const { items } = await toReviewEditForm(open);
  const sent = readForm(form, { items });
  const limited = await rateLimitState(open, address, sent.values);
  if (limited) return limited;
  return edited.kind === "review"
    ? submitReviewEdit(open, edited.item, edited.category, sent, address)
    : submitSellerReviewEdit(open, edited.item, sent.values);
}

/** Stores an author's edit of a question, as {@link submitEdit} does for reviews. */
export async function submitQuestionEdit(
  token: string,
  form: FormData,
  address: string | null,
): Promise<FormState<QuestionValues>> {
  const open = await requireOpenEdit(token);
  if (open.edited.kind !== "question") throw notFound();
  const values = readQuestionForm(form);
  return (await rateLimitState(open, address, values)) ?? submitQuestionText(open, open.edited.item, values);
}

const notFound = () => new AppError("not_found", { reason: "link_dead" });

async function requireOpenEdit(token: string): Promise<OpenEdit> {
  const open = await openEdit(token);
  if (open.state !== "open") throw notFound();
  return open;
}

async function rateLimitState<Values>(
  { client, language, edited }: OpenEdit,
  address: string | null,
  values: Values,
): Promise<FormState<Values>> {
  if (isWithinRateLimit(`${client.id}|${address ?? edited.item.id}`)) return null;
  return { issues: [{ field: "send", message: publicText(language)("form.errorBusy") }], values };
}

async function submitReviewEdit(
  { about, client, language }: OpenEdit,
  item: ReviewToEdit,
  category: string | null,
  sent: ReturnType<typeof readForm>,
  address: string | null,
): Promise<FormState> {
  const t = publicText(language);
  const values = sent.values.items[POSITION] as ItemValues;
  const photoIssues = await storePhotos(sent, { client, visitor: `${client.id}|${address ?? item.id}`, t });
  const { items } = await toReviewEditForm({ about, client, language, edited: { kind: "review", item, category } });
  const submission: ReviewSubmission = {
    source: item.source === "invitation" ? "invitation" : "web",
    productId: item.product_id,
    familyId: item.family_id,
    productName: item.product_name,
    productUrl: item.product_url,
    category,
    author: sent.values.author.trim(),
    authorEmail: item.author_email,
    authorIp: address,
    ...toSubmissionContent(values, items[0]?.questions ?? []),
    lang: null,
    order: buyerOrder(item),
    termsAgreed: false,
  };
  const validated = validateSubmission(client, submission, category);
  const found: Issue[] = [...validated.issues, ...(await uploadIssues(pool(), client, values.images, item.images))];
  const issues = [
    ...itemIssues(NAME, values, t),
    ...issuesAt(NAME, found, { client, submission, values, t }),
    ...photoIssues,
    ...authorIssues(sent.values, { mustAgree: false }, t),
  ];
  if (issues.length > 0) return { issues, values: sent.values };
  const collectedFields = pickCollected(client, submission);
  const texts = {
    author: submission.author,
    score: submission.score,
    title: submission.title,
    extract: submission.content,
    ...collectedFields,
    answers: validated.answers,
    lang: await languageOfTexts(client, [
      submission.title,
      submission.content,
      ...collectedFields.pros,
      ...collectedFields.cons,
    ]),
  };
  return store(about, sent.values, `${NAME}.content`, t("editPage.unchanged"), async (db) => {
    const changed = await editReview(db, client, item.id, texts, values.images);
    if (changed.changed) await confirmItem(db, client.id, "review", item.id);
    return changed;
  });
}

function submitSellerReviewEdit(
  { about, client, language }: OpenEdit,
  item: SellerReviewToEdit,
  values: FormValues,
): FormState | Promise<FormState> {
  const t = publicText(language);
  const { score, title, content } = values.seller;
  const issues = [
    ...(isScore(score) ? [] : [{ field: "seller.score", message: t("reviewForm.errorScore") }]),
    ...longIssues("seller.title", title, 255, t),
    ...longIssues("seller.content", content, 60_000, t),
    ...authorIssues(values, { mustAgree: false }, t),
  ];
  if (issues.length > 0) return { issues, values };
  const texts = {
    author: values.author.trim(),
    score: Number(score),
    title: title.trim() || null,
    extract: content.trim(),
  };
  return store(about, values, "seller.content", t("editPage.unchanged"), (db) =>
    editSellerReview(db, client, item.id, texts),
  );
}

function submitQuestionText(
  { about, client, language }: OpenEdit,
  item: QuestionToEdit,
  values: QuestionValues,
): FormState<QuestionValues> | Promise<FormState<QuestionValues>> {
  const t = publicText(language);
  const issues = questionFormIssues(values, { needsEmail: false, mustAgree: false }, t);
  if (issues.length > 0) return { issues, values };
  const texts = {
    author: values.author.trim(),
    question: values.question.trim(),
    details: values.details.trim(),
  };
  return store(about, values, "question", t("editPage.unchanged"), async (db) => {
    const changed = await editQuestion(db, client, item.id, texts);
    if (changed.changed) await confirmItem(db, client.id, "question", item.id);
    return changed;
  });
}

/**
 * Returns null if the edit is stored or already was. An unchanged rejected text is an issue: it would be rejected
 * again.
 */
async function store<Values>(
  about: EditSubject,
  values: Values,
  field: string,
  message: string,
  edit: (db: PoolClient) => Promise<Changed>,
): Promise<FormState<Values>> {
  const { changed, accepted } = await transaction(async (db) => {
    if (!(await isAuthor(db, about, { lock: true }))) throw notFound();
    return edit(db);
  });
  const issues: FormIssue[] = !changed && accepted === false ? [{ field, message }] : [];
  return issues.length > 0 ? { issues, values } : null;
}
