import { timeZoneOf } from "@/lib/clients/get-client";
import type { CustomQuestion } from "@/lib/clients/settings";
import { dayIn, now } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { takeToken } from "@/lib/http/rate-limit";
import { addDays } from "@/lib/invitations/days";
import { formWords } from "@/lib/invitations/form-words";
import { isOf, type OpenInvitation, openInvitation, toForm } from "@/lib/invitations/open-invitation";
import { readForm, type SentForm } from "@/lib/invitations/read-form";
import { type FormFault, type FormState, type FormWords, type ItemValues, MOST_PHOTOS } from "@/lib/invitations/schema";
import { fill } from "@/lib/languages/rules";
import { postponeDelivery } from "@/lib/orders/postpone-delivery";
import { fewestWords, judgeSubmission, type ReviewSubmission } from "@/lib/reviews/rules";
import { submitReview, termsVersion } from "@/lib/reviews/submit-review";
import { submitSellerReview } from "@/lib/seller-reviews/submit-seller-review";
import { uploadFaults } from "@/lib/uploads/claim-uploads";
import { storeUpload } from "@/lib/uploads/store-upload";
import { type AskedItemRow, markReviewed } from "./sql";

/** What came of the form: reviews that arrived, or what is to be mended with all that was typed. */
export type FormOutcome = { outcome: "stored"; reviews: number } | { outcome: "faults"; state: NonNullable<FormState> };

type Rated = { item: AskedItemRow; values: ItemValues; submission: ReviewSubmission };

/**
 * Takes an invitation's form. Rated items become reviews of a verified buyer (a second time: edits of the first), items
 * without stars are skipped, the seller's stars become a seller review. All faults are told at once, in the form's
 * language, and nothing is stored while there is one; photos that came along are kept for the next try.
 * Throws `not_found` for a link that is unknown or has run out.
 */
export async function submitForm(token: string, form: FormData, address: string | null): Promise<FormOutcome> {
  const open = await openInvitation(token);
  if (open.state !== "open") throw new AppError("not_found", "This link does not work any more.");
  const sent = readForm(form, toForm(open, {}));
  const words = formWords[open.language];
  if (!isPaced(open, address))
    return {
      outcome: "faults",
      state: { faults: [{ field: "send", message: words.fault_busy }], values: sent.values },
    };
  const faults = await keepPhotos(open, sent, words);
  const rated = ratedItems(open, sent, address);
  faults.push(...(await judge(open, sent, rated, words)));
  if (faults.length > 0) return { outcome: "faults", state: { faults, values: sent.values } };
  return store(open, sent, rated, words, address);
}

/** Whether the visitor may send now; one who is too quick keeps what was typed and is asked to wait. */
function isPaced({ client, invitation }: OpenInvitation, address: string | null): boolean {
  try {
    takeToken("submission", `${client.id}|${address ?? invitation.id}`);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return false;
    throw error;
  }
}

/** Uploads photos that came with the form; what cannot be read is a fault, what can stays as a token in the values. */
async function keepPhotos({ client }: OpenInvitation, sent: SentForm, words: FormWords): Promise<FormFault[]> {
  const faults: FormFault[] = [];
  for (const [position, files] of sent.files) {
    const values = sent.values.items[position] as ItemValues;
    const field = `items.${position}.files`;
    if (values.images.length + files.length > MOST_PHOTOS) {
      faults.push({ field, message: words.fault_photos_many });
      continue;
    }
    for (const file of files) {
      try {
        values.images.push((await storeUpload(client, file)).token);
      } catch (error) {
        faults.push({ field, message: photoFault(error, file.name, words) });
      }
    }
  }
  return faults;
}

/** The sentence for a photo that was refused; any other error is thrown on. */
export function photoFault(error: unknown, name: string, words: FormWords): string {
  if (error instanceof AppError && error.code === "too_large") return fill(words.fault_photo_size, { name });
  if (error instanceof AppError && error.code === "invalid_field") return fill(words.fault_photo, { name });
  throw error;
}

function ratedItems(open: OpenInvitation, sent: SentForm, address: string | null): Rated[] {
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
      score: Number(values.score),
      title: values.title.trim() || null,
      content: values.content.trim(),
      pros: values.pros,
      cons: values.cons,
      recommended: values.recommended === "" ? null : values.recommended === "yes",
      answers: answersOf(open, item, values),
      images: values.images,
      lang: null,
      order: { orderId: item.order_id, customerId: item.customer_id, invitationId: invitation.id },
      termsAgreed: client.must_agree_to_terms && sent.values.terms,
    };
    return [{ item, values, submission }];
  });
}

/** Words without stars are not thrown away silently: stars are asked for then. "Do not rate" says so. */
const isStarted = (values: ItemValues): boolean =>
  values.score !== "none" &&
  !values.later &&
  (values.score !== "" || [values.title, values.content, ...values.pros, ...values.cons].some((text) => text.trim()));

function answersOf(open: OpenInvitation, item: AskedItemRow, values: ItemValues): Record<string, unknown> {
  const { questions = [] } = toForm(open, {}).items.find(({ position }) => position === item.position) ?? {};
  return Object.fromEntries(
    questions.map(({ id, type, multiple }) => {
      const given = values.answers[id] ?? [];
      return [id, multiple ? given : type === "score" ? Number(given[0] ?? 0) || null : (given[0] ?? null)];
    }),
  );
}

async function judge(open: OpenInvitation, sent: SentForm, rated: Rated[], words: FormWords): Promise<FormFault[]> {
  const { client, reviews } = open;
  const { author, seller, terms } = sent.values;
  const faults: FormFault[] = [];
  const long = (field: string, text: string, most: number) => {
    if ([...text].length > most) faults.push({ field, message: fill(words.fault_long, { count: most }) });
  };
  for (const { item, values, submission } of rated) {
    const name = `items.${item.position}`;
    if (!/^[1-5]$/.test(values.score)) faults.push({ field: `${name}.score`, message: words.fault_score });
    long(`${name}.title`, values.title, 255);
    long(`${name}.content`, values.content, 60_000);
    for (const kind of ["pros", "cons"] as const)
      for (const [index, line] of values[kind].entries()) long(`${name}.${kind}.${index}`, line, 2_000);
    for (const { field, message } of judgeSubmission(client, submission, item.category).faults) {
      if (field === "content")
        faults.push({
          field: `${name}.content`,
          message: fill(words.fault_words, { count: fewestWords(client, submission) }),
        });
      else if (field?.startsWith("custom_questions.")) {
        const control = `${name}.answers.${questionId(client, field.slice("custom_questions.".length))}`;
        if (faults.some((fault) => fault.field === control)) continue; // a wrong answer is not a missing one as well
        faults.push({ field: control, message: message === "is required" ? words.fault_required : words.fault_check });
      }
    }
    const held = reviews.find((review) => isOf(review, item))?.images ?? [];
    if ((await uploadFaults(pool(), client, values.images, held)).length > 0) {
      const kept = new Set(held.map(({ token }) => token));
      values.images = values.images.filter((token) => kept.has(token));
      faults.push({ field: `${name}.files`, message: fill(words.fault_photo, { name: words.photos }) });
    }
  }
  if (client.collect_seller_reviews) {
    const started = seller.score !== "" && seller.score !== "none";
    if (!started && (seller.title.trim() || seller.content.trim()) && seller.score !== "none")
      faults.push({ field: "seller.score", message: words.fault_score });
    else if (started && !/^[1-5]$/.test(seller.score))
      faults.push({ field: "seller.score", message: words.fault_score });
    long("seller.title", seller.title, 255);
    long("seller.content", seller.content, 60_000);
  }
  const anything = rated.length > 0 || sellerScore(open, sent) !== null;
  const later = Object.values(sent.values.items).some((values) => values.later);
  if (!anything && !later && faults.length === 0) {
    const first = open.items[0];
    faults.push({ field: first ? `items.${first.position}.score` : "seller.score", message: words.fault_nothing });
  }
  if (anything || !later) {
    if (author.trim() === "") faults.push({ field: "author", message: words.fault_author });
    long("author", author, 255);
    if (client.must_agree_to_terms && !terms) faults.push({ field: "terms", message: words.fault_terms });
  }
  return faults;
}

/** Faults name a question by the key it was answered with, or by its name where the answer is missing. */
const questionId = ({ custom_questions }: OpenInvitation["client"], key: string): string =>
  (custom_questions as CustomQuestion[]).find(({ id, name }) => id === key || name === key)?.id ?? key;

const sellerScore = ({ client }: OpenInvitation, { values: { seller } }: SentForm): number | null =>
  client.collect_seller_reviews && /^[1-5]$/.test(seller.score) ? Number(seller.score) : null;

async function store(
  open: OpenInvitation,
  sent: SentForm,
  rated: Rated[],
  words: FormWords,
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
      // Another tab changed things between judging and storing; what is stored already is only edited by a next try.
      if (!(error instanceof AppError) || error.code !== "invalid_field") throw error;
      const fault = { field: `items.${item.position}.content`, message: words.fault_check };
      return { outcome: "faults", state: { faults: [fault], values: sent.values } };
    }
  }
  const score = sellerScore(open, sent);
  if (score !== null) {
    const agreed = client.must_agree_to_terms && sent.values.terms;
    await submitSellerReview(client, {
      invitationId: invitation.id,
      orderId: items[0]?.order_id ?? null,
      customerId: items[0]?.customer_id ?? invitation.customer_id,
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
