import { findSubject } from "@/lib/catalog/products/find-subject";
import { toSafeImageUrl } from "@/lib/forms/brand";
import type { OpenEdit } from "@/lib/forms/edit/open-edit";
import { formQuestions, valuesOfReview } from "@/lib/forms/form-values";
import type { QuestionForm } from "@/lib/forms/question-form/schema";
import type { ReviewForm } from "@/lib/forms/schema";
import type { QuestionToEdit } from "@/lib/reviews/questions/edit-question";
import type { ReviewToEdit } from "@/lib/reviews/reviews/edit-review";
import { minWordsFor } from "@/lib/reviews/reviews/rules";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";

/** The item's position in the form, which has only one item. */
export const POSITION = 1;

type Subject = Pick<ReviewToEdit, "product_id" | "family_id" | "product_name">;

/** The item's subject: its name when the item was written, its image from the current catalog. */
async function subjectOf(
  { client }: OpenEdit,
  { product_id, family_id, product_name }: Subject,
): Promise<{ name: string; image_url: string | null }> {
  const found = await findSubject(client, { productId: product_id, familyId: family_id });
  return {
    name: product_name ?? found?.name ?? product_id ?? family_id ?? "",
    image_url: toSafeImageUrl(found?.image_url ?? null),
  };
}

/**
 * Builds the form for a review or seller review with its current content. Address, order and consent can't be changed.
 */
export async function toReviewEditForm(open: OpenEdit): Promise<ReviewForm> {
  const { client, language, edited } = open;
  const form: ReviewForm = {
    items: [],
    values: {
      items: {},
      seller: { score: "", title: "", content: "" },
      author: edited.item.author ?? "",
      email: "",
      terms: false,
    },
    shop: client.display_name,
    skippable: false,
    asks: {
      seller: edited.kind === "seller_review",
      pros_cons: client.collect_pros_cons,
      recommended: client.collect_recommended,
      email: null,
    },
    // What was written before isn't written for an offer of today.
    incentive: null,
    terms: null,
    upload_key: { client_id: client.id, api_key: client.public_key },
  };
  if (edited.kind === "seller_review") {
    const { score, title, extract } = edited.item;
    return {
      ...form,
      values: { ...form.values, seller: { score: String(score), title: title ?? "", content: extract } },
    };
  }
  if (edited.kind !== "review") return form;
  const { item, category } = edited;
  // Images of a rejected review aren't public.
  const pictures = item.accepted === false ? [] : imageObjects(item.images, { signed: true });
  return {
    ...form,
    items: [
      {
        position: POSITION,
        ...(await subjectOf(open, item)),
        reviewed: false,
        photos: pictures.map(({ token, icon }) => ({ token, src: icon })),
        questions: formQuestions(client, category, language),
        fewest_words: {
          promoter: minWordsFor(client, { score: 5, order: buyerOrder(item) }),
          others: minWordsFor(client, { score: 1, order: buyerOrder(item) }),
        },
      },
    ],
    values: { ...form.values, items: { [POSITION]: valuesOfReview(client, item) } },
  };
}

/** A truthy value if the rules for verified buyers apply. */
export const buyerOrder = ({ verified_buyer }: Pick<ReviewToEdit, "verified_buyer">) =>
  verified_buyer ? { orderId: "", customerId: "", invitationId: null } : null;

/** Builds the form for a question with its current content. */
export const toQuestionEditForm = async (open: OpenEdit, item: QuestionToEdit): Promise<QuestionForm> => ({
  subject: await subjectOf(open, item),
  values: {
    question: item.question,
    details: item.details,
    author: item.author ?? "",
    email: "",
    mail_answer: false,
    terms: false,
  },
  shop: open.client.display_name,
  email: null,
  terms: null,
});
