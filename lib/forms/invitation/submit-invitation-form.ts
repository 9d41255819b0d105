import { timeZoneOf } from "@/lib/accounts/stores/get-client";
import {
  isReviewOfItem,
  type OpenInvitation,
  openInvitation,
  toInvitationForm,
} from "@/lib/forms/invitation/open-invitation";
import { authorIssues, emptyTextWarnings, isScore, issuesAt, itemIssues, longIssues } from "@/lib/forms/issues";
import { isWithinRateLimit } from "@/lib/forms/rate-limit";
import { readForm, type SentForm } from "@/lib/forms/read-form";
import type { FormIssue, FormItem, FormState, ItemValues } from "@/lib/forms/schema";
import { storePhotos } from "@/lib/forms/store-photos";
import { toSubmissionContent } from "@/lib/forms/submission-content";
import { addDays } from "@/lib/invitations/days";
import { type InvitationItemRow, markReviewed } from "@/lib/invitations/sent-invitation";
import { postponeDelivery } from "@/lib/orders/postpone-delivery";
import { dayIn, now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";
import { type ReviewSubmission, validateSubmission } from "@/lib/reviews/reviews/rules";
import { submitReview } from "@/lib/reviews/reviews/submit-review";
import { submitSellerReview } from "@/lib/reviews/seller-reviews/submit-seller-review";
import { termsVersion } from "@/lib/reviews/submissions/store-submission";
import { uploadIssues } from "@/lib/reviews/uploads/claim-uploads";

/** The result: the number of stored reviews, or the issues with all input. */
export type FormOutcome = { outcome: "stored"; reviews: number } | { outcome: "issues"; state: NonNullable<FormState> };

type RatedItem = { item: InvitationItemRow; values: ItemValues; submission: ReviewSubmission };

/**
 * Stores an invitation's form. Rated items become reviews of a verified buyer (edits on a second submission), unrated
 * items are skipped, and the store's rating becomes a seller review. If there are issues, returns all of them in the
 * form's language and stores nothing but uploaded photos, which are retained for the next try. Throws `not_found` if
 * the link is unknown or expired.
 */
export async function submitInvitationForm(
  token: string,
  form: FormData,
  address: string | null,
): Promise<FormOutcome> {
  const open = await openInvitation(token);
  if (open.state !== "open") throw new AppError("not_found", { reason: "link_dead" });
  const { items } = toInvitationForm(open, {});
  const sent = readForm(form, { items });
  const t = publicText(open.language);
  const visitor = `${open.client.id}|${address ?? open.invitation.id}`;
  if (!isWithinRateLimit(visitor))
    return {
      outcome: "issues",
      state: { issues: [{ field: "send", message: t("form.errorBusy") }], values: sent.values },
    };
  const issues = await storePhotos(sent, { client: open.client, visitor, t });
  const rated = ratedItems(open, items, sent, address);
  issues.push(...(await formIssues(open, sent, rated, t)));
  if (issues.length > 0) return { outcome: "issues", state: { issues, values: sent.values } };
  // Only new reviews are checked; the text of an edited review was left out on purpose.
  const fresh = rated.flatMap(({ item, values }) => {
    const shown = items.find(({ position }) => position === item.position);
    return shown && !shown.reviewed ? [{ name: `items.${item.position}`, values, questions: shown.questions }] : [];
  });
  const warnings = sent.warned ? [] : emptyTextWarnings(fresh, t);
  if (warnings.length > 0) return { outcome: "issues", state: { issues: warnings, values: sent.values, warned: true } };
  return store(open, sent, rated, t, address);
}

function ratedItems(open: OpenInvitation, formItems: FormItem[], sent: SentForm, address: string | null): RatedItem[] {
  const { client, invitation } = open;
  return open.items.flatMap((item) => {
    const values = sent.values.items[item.position];
    if (!values || !isStarted(values)) return [];
    const submission: ReviewSubmission = {
      source: "invitation",
      productId: item.item_id,
      familyId: item.family_id,
      productName: item.name,
      productUrl: item.url,
      category: item.category,
      author: sent.values.author.trim(),
      authorEmail: invitation.email,
      authorIp: address,
      ...toSubmissionContent(values, formItems.find(({ position }) => position === item.position)?.questions ?? []),
      lang: null,
      order: { orderId: item.order_id, customerId: item.customer_id, invitationId: invitation.id },
      termsAgreed: client.must_agree_to_terms && sent.values.terms,
    };
    return [{ item, values, submission }];
  });
}

/**
 * Text without a rating counts as started, so that the missing rating is reported instead of dropping the text. "Clear
 * rating" (`none`) drops it on purpose.
 */
const isStarted = (values: ItemValues): boolean =>
  values.score !== "none" &&
  !values.later &&
  (values.score !== "" || [values.title, values.content, ...values.pros, ...values.cons].some((text) => text.trim()));

async function formIssues(
  open: OpenInvitation,
  sent: SentForm,
  rated: RatedItem[],
  t: PublicText,
): Promise<FormIssue[]> {
  const { client, reviews } = open;
  const { seller } = sent.values;
  const issues: FormIssue[] = [];
  for (const { item, values, submission } of rated) {
    const name = `items.${item.position}`;
    const currentImages = reviews.find((review) => isReviewOfItem(review, item))?.images ?? [];
    const found = [
      ...validateSubmission(client, submission, item.category).issues,
      ...(await uploadIssues(pool(), client, values.images, currentImages)),
    ];
    issues.push(...itemIssues(name, values, t), ...issuesAt(name, found, { client, submission, values, t }));
  }
  if (client.collect_seller_reviews) {
    const started = seller.score !== "" && seller.score !== "none";
    if (!started && (seller.title.trim() || seller.content.trim()) && seller.score !== "none")
      issues.push({ field: "seller.score", message: t("reviewForm.errorScore") });
    else if (started && !isScore(seller.score))
      issues.push({ field: "seller.score", message: t("reviewForm.errorScore") });
    issues.push(...longIssues("seller.title", seller.title, 255, t));
    issues.push(...longIssues("seller.content", seller.content, 60_000, t));
  }
  const anything = rated.length > 0 || sellerScore(open, sent) !== null;
  const later = Object.values(sent.values.items).some((values) => values.later);
  if (!anything && !later && issues.length === 0) {
    const first = open.items[0];
    issues.push({
      field: first ? `items.${first.position}.score` : "seller.score",
      message: t("reviewForm.errorNothing"),
    });
  }
  if (anything || !later) issues.push(...authorIssues(sent.values, { mustAgree: client.must_agree_to_terms }, t));
  return issues;
}

const sellerScore = ({ client }: OpenInvitation, { values: { seller } }: SentForm): number | null =>
  client.collect_seller_reviews && isScore(seller.score) ? Number(seller.score) : null;

async function store(
  open: OpenInvitation,
  sent: SentForm,
  rated: RatedItem[],
  t: PublicText,
  address: string | null,
): Promise<FormOutcome> {
  const { client, invitation, items } = open;
  const today = dayIn(timeZoneOf(client));
  for (const item of items)
    if (sent.values.items[item.position]?.later)
      await postponeDelivery(client.id, item.order_id, item.item_id, addDays(today, 1));
  for (const { item, submission } of rated) {
    try {
      await submitReview(client, submission);
    } catch (error) {
      // Another tab changed data between validation and storage. A retry only edits what is already stored.
      if (!(error instanceof AppError) || error.code !== "invalid_field") throw error;
      const issue = { field: `items.${item.position}.content`, message: t("reviewForm.errorInvalid") };
      return { outcome: "issues", state: { issues: [issue], values: sent.values } };
    }
  }
  const score = sellerScore(open, sent);
  if (score !== null) {
    const agreed = client.must_agree_to_terms && sent.values.terms;
    await submitSellerReview(client, {
      invitationId: invitation.id,
      orderId: open.order?.order_id ?? null,
      customerId: open.order?.customer_id ?? invitation.customer_id,
      author: sent.values.author.trim(),
      authorEmail: invitation.email,
      authorIp: address,
      score,
      title: sent.values.seller.title.trim() || null,
      content: sent.values.seller.content.trim(),
      termsAgreedAt: agreed ? now() : null,
      termsVersion: agreed ? termsVersion(client.config) : null,
    });
  }
  const count = rated.length + (score === null ? 0 : 1);
  if (count > 0) await markReviewed(pool(), client.id, invitation.id, now());
  return { outcome: "stored", reviews: count };
}
