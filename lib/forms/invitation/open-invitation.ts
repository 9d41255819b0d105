import { type ClientRow, getClient, incentiveOf } from "@/lib/accounts/stores/get-client";
import { toSafeImageUrl } from "@/lib/forms/brand";
import { blankValues, formQuestions, termsOf, valuesOfReview } from "@/lib/forms/form-values";
import { suggestNickname } from "@/lib/forms/invitation/suggest-nickname";
import type { FormValues, ReviewForm } from "@/lib/forms/schema";
import { readInvitationToken } from "@/lib/invitations/links";
import {
  type InvitationItemRow,
  type SentInvitation,
  selectInvitationItems,
  selectSentInvitation,
} from "@/lib/invitations/sent-invitation";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { type OwnReview, reviewsOfInvitation } from "@/lib/reviews/reviews/reviews-of-invitation";
import { minWordsFor } from "@/lib/reviews/reviews/rules";
import {
  type OwnSellerReview,
  sellerReviewOfInvitation,
} from "@/lib/reviews/seller-reviews/seller-review-of-invitation";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";

/** Everything an invitation's form shows and its submission needs. */
export type OpenInvitation = {
  client: ClientRow;
  invitation: SentInvitation;
  language: Language;
  /** the items to review besides the store; empty if the invitation asks only about the store */
  items: InvitationItemRow[];
  /** the order a seller review belongs to */
  order: { order_id: string; customer_id: string } | null;
  reviews: OwnReview[];
  seller: OwnSellerReview | null;
};

export type InvitationLink =
  | ({ state: "open" | "expired" } & OpenInvitation)
  /** the link is invalid, or its invitation has been deleted */
  | { state: "unknown" };

/** Resolves an invitation link. Read-only, because email scanners open links too. */
export async function openInvitation(token: string): Promise<InvitationLink> {
  const about = readInvitationToken(token);
  const client = about && (await getClient(about.clientId));
  const invitation = client && (await selectSentInvitation(pool(), client.id, about.invitationId));
  if (!client || !invitation) return { state: "unknown" };
  const [items, reviews, seller] = await Promise.all([
    selectInvitationItems(pool(), client.id, invitation.id),
    reviewsOfInvitation(client.id, invitation.id),
    sellerReviewOfInvitation(client.id, invitation.id),
  ]);
  return {
    state: now() < invitation.expires_at ? "open" : "expired",
    client,
    invitation,
    language: languageOf(invitation.lang, client.locale),
    // Cancelled items can't be reviewed any more, but existing reviews of them can be changed.
    items: items.filter(
      (item) =>
        invitation.kind !== "seller" && (item.reviewable || reviews.some((review) => isReviewOfItem(review, item))),
    ),
    order: items[0] ?? null,
    reviews,
    seller,
  };
}

/** Returns the client a link was signed for, even if the invitation is deleted. Null if the link is invalid. */
export async function clientOfInvitation(token: string): Promise<ClientRow | null> {
  const about = readInvitationToken(token);
  return about && getClient(about.clientId);
}

export const isReviewOfItem = (review: OwnReview, item: InvitationItemRow): boolean =>
  review.order_id === item.order_id && review.product_id === item.item_id;

/**
 * The form's initial state: earlier reviews, plus what the customer selected in the email (a star for an item or the
 * store, or "not received yet"). The selection is stored only when the form is submitted.
 */
export function toInvitationForm(
  open: OpenInvitation,
  preselected: { item?: string; score?: string; later?: string },
): ReviewForm {
  const { client, invitation, items, language, reviews, seller } = open;
  const values: FormValues = {
    items: {},
    seller: { score: seller ? String(seller.score) : "", title: seller?.title ?? "", content: seller?.extract ?? "" },
    author: reviews[0]?.author ?? seller?.author ?? suggestNickname(invitation.name),
    email: "",
    terms: false,
  };
  const onlyPosition = items.length === 1 ? String(items[0]?.position) : undefined;
  const star = /^[1-5]$/.test(preselected.score ?? "") ? preselected.score : undefined;
  if (star && preselected.item === "seller") values.seller.score = star;
  for (const item of items) {
    const review = reviews.find((one) => isReviewOfItem(one, item));
    const shown = review ? valuesOfReview(client, review) : blankValues();
    if (star && (preselected.item ?? onlyPosition) === String(item.position)) shown.score = star;
    if (preselected.later === "1" && !review) shown.later = true;
    values.items[item.position] = shown;
  }
  return {
    items: items.map((item) => {
      const review = reviews.find((one) => isReviewOfItem(one, item));
      return {
        position: item.position,
        name: item.name?.trim() || item.item_id,
        image_url: toSafeImageUrl(item.image_url),
        reviewed: review !== undefined,
        photos: imageObjects(review?.images ?? [], { signed: true }).map(({ token, icon }) => ({ token, src: icon })),
        questions: formQuestions(client, item.category, language),
        fewest_words: {
          promoter: minWordsFor(client, { score: 5, order: { orderId: "", customerId: "", invitationId: null } }),
          others: minWordsFor(client, { score: 1, order: { orderId: "", customerId: "", invitationId: null } }),
        },
      };
    }),
    values,
    shop: client.display_name,
    skippable: true,
    asks: {
      seller: client.collect_seller_reviews,
      pros_cons: client.collect_pros_cons,
      recommended: client.collect_recommended,
      email: null,
    },
    incentive: incentiveOf(client),
    terms: client.must_agree_to_terms ? termsOf(client, language) : null,
    upload_key: { client_id: client.id, api_key: client.public_key },
  };
}
