import { nameOf as questionName, questionsFor } from "@/lib/clients/custom-answers";
import { type ClientRow, getClient } from "@/lib/clients/get-client";
import type { CustomQuestion } from "@/lib/clients/settings";
import { now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { readInvitationToken } from "@/lib/invitations/links";
import { inkOn } from "@/lib/invitations/render-invitation";
import { suggestNickname } from "@/lib/invitations/rules";
import { type FormValues, type InvitationForm, type ItemValues, POINT_LINES } from "@/lib/invitations/schema";
import { type Language, languageOf } from "@/lib/languages/rules";
import { type OwnReview, reviewsOfInvitation } from "@/lib/reviews/reviews-of-invitation";
import { fewestWords } from "@/lib/reviews/rules";
import { type OwnSellerReview, sellerReviewOfInvitation } from "@/lib/seller-reviews/seller-review-of-invitation";
import { imageObjects } from "@/lib/uploads/image-objects";
import { type AskedItemRow, type SentInvitation, selectAskedItems, selectSent } from "./sql";

/** Everything behind an invitation's link, for the form and for what it sends. */
export type OpenInvitation = {
  client: ClientRow;
  invitation: SentInvitation;
  language: Language;
  items: AskedItemRow[];
  reviews: OwnReview[];
  seller: OwnSellerReview | null;
};

export type InvitationLink =
  | ({ state: "open" | "expired" } & OpenInvitation)
  /** not a link of ours, or what it led to has been deleted */
  | { state: "unknown" };

/** What an invitation's link leads to. Writes nothing: mail scanners open links too. */
export async function openInvitation(token: string): Promise<InvitationLink> {
  const about = readInvitationToken(token);
  const client = about && (await getClient(about.clientId));
  const invitation = client && (await selectSent(pool(), client.id, about.invitationId));
  if (!client || !invitation) return { state: "unknown" };
  const [items, reviews, seller] = await Promise.all([
    selectAskedItems(pool(), client.id, invitation.id),
    reviewsOfInvitation(client.id, invitation.id),
    sellerReviewOfInvitation(client.id, invitation.id),
  ]);
  return {
    state: now() < invitation.expires_at ? "open" : "expired",
    client,
    invitation,
    language: languageOf(invitation.lang, client.locale),
    // A cancelled item is asked for no more, but what was written of it can still be changed.
    items: items.filter((item) => item.reviewable || reviews.some((review) => isOf(review, item))),
    reviews,
    seller,
  };
}

export const isOf = (review: OwnReview, item: AskedItemRow): boolean =>
  review.order_id === item.order_id && review.product_id === item.item_id;

/** Where an item can be reviewed without an invitation: the web form, as the person finds it in the shop. */
export function webFormLink(client: ClientRow, item: AskedItemRow): string {
  const query = new URLSearchParams({ client_id: client.id, key: item.item_id });
  if (item.family_id) query.set("url_key", item.family_id);
  if (item.name) query.set("name", item.name);
  return `${env().PUBLIC_URL}/reviews/new?${query}`;
}

/** The form as it first shows: with what was written before, and the star that was tapped in the mail. */
export function toForm(open: OpenInvitation, tapped: { item?: string; score?: string }): InvitationForm {
  const { client, invitation, items, language, reviews, seller } = open;
  const values: FormValues = {
    items: {},
    seller: { score: seller ? String(seller.score) : "", title: seller?.title ?? "", content: seller?.extract ?? "" },
    author: reviews[0]?.author ?? seller?.author ?? suggestNickname(invitation.name),
    terms: false,
  };
  const alone = items.length === 1 ? String(items[0]?.position) : undefined;
  for (const item of items) {
    const review = reviews.find((one) => isOf(one, item));
    const shown = valuesOf(client, review);
    if ((tapped.item ?? alone) === String(item.position) && /^[1-5]$/.test(tapped.score ?? ""))
      shown.score = tapped.score as string;
    values.items[item.position] = shown;
  }
  return {
    items: items.map((item) => {
      const review = reviews.find((one) => isOf(one, item));
      return {
        position: item.position,
        name: item.name?.trim() || item.item_id,
        image_url: showable(item.image_url),
        reviewed: review !== undefined,
        photos: imageObjects(review?.images ?? [], { signed: true }).map(({ token, icon }) => ({ token, src: icon })),
        questions: askedQuestions(client, item.category, language),
        fewest_words: {
          promoter: fewestWords(client, { score: 5, order: { orderId: "", customerId: "", invitationId: null } }),
          others: fewestWords(client, { score: 1, order: { orderId: "", customerId: "", invitationId: null } }),
        },
      };
    }),
    values,
    shop: client.display_name,
    asks: {
      seller: client.collect_seller_reviews,
      pros_cons: client.collect_pros_cons,
      recommended: client.collect_recommended,
    },
    terms: client.must_agree_to_terms ? termsOf(client, language) : null,
  };
}

function valuesOf(client: ClientRow, review: OwnReview | undefined): ItemValues {
  const lines = (said: string[] = []) => [...said, ...Array(Math.max(1, POINT_LINES - said.length)).fill("")];
  const byName = new Map((client.custom_questions as CustomQuestion[]).map((one) => [questionName(one), one.id]));
  return {
    score: review ? String(review.score) : "",
    title: review?.title ?? "",
    content: review?.extract ?? "",
    pros: lines(review?.pros),
    cons: lines(review?.cons),
    recommended: review?.recommended == null ? "" : review.recommended ? "yes" : "no",
    images: (review?.images ?? []).map(({ token }) => token),
    answers: Object.fromEntries(
      Object.entries(review?.answers ?? {}).map(([name, answer]) => [
        byName.get(name) ?? name,
        [answer].flat().map(String),
      ]),
    ),
    later: false,
  };
}

export const askedQuestions = (client: ClientRow, category: string | null, language: Language) =>
  questionsFor(client.custom_questions as CustomQuestion[], category).map((question) => ({
    id: question.id,
    label: inLanguage(question.label, language, client.locale) ?? question.id,
    type: question.type,
    multiple: question.multiple,
    required: question.required,
    options: question.options.map(({ id, label }) => ({ id, label: inLanguage(label, language, client.locale) ?? id })),
  }));

function termsOf({ config, locale }: ClientRow, language: Language): InvitationForm["terms"] {
  const text = config.terms_text as Record<string, string> | undefined;
  return {
    url: typeof config.terms_url === "string" ? config.terms_url : null,
    text: text ? inLanguage(text, language, locale) : null,
  };
}

/** A text by language: the reader's, else the client's, else English, else whichever there is. */
function inLanguage(texts: Record<string, string>, language: Language, locale: string): string | null {
  const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0];
  for (const wish of [language, locale, "en"]) {
    const found = Object.entries(texts).find(([tag]) => primary(tag) === primary(wish));
    if (found) return found[1];
  }
  return Object.values(texts)[0] ?? null;
}

/** Pages load pictures over https only (and from this server). */
const showable = (url: string | null): string | null =>
  url && URL.canParse(url) && (new URL(url).protocol === "https:" || new URL(url).origin === env().PUBLIC_URL)
    ? url
    : null;

/** How a client shows itself to its customers; only addresses and colours that can stand in a page. */
export function brandOf({ display_name, contact_url, config }: ClientRow) {
  const accent = typeof config.accent_color === "string" && /^#[0-9a-f]{6}$/i.test(config.accent_color);
  return {
    name: display_name,
    logo: showable(typeof config.logo_url === "string" ? config.logo_url : null),
    url:
      contact_url && URL.canParse(contact_url) && /^https?:$/.test(new URL(contact_url).protocol) ? contact_url : null,
    accent: accent ? { color: config.accent_color as string, ink: inkOn(config.accent_color as string) } : null,
  };
}
