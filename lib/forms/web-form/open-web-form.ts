import { z } from "zod";
import { type ClientRow, getClient, incentiveOf } from "@/lib/accounts/stores/get-client";
import { findSubject } from "@/lib/catalog/products/find-subject";
import { toSafeImageUrl } from "@/lib/forms/brand";
import { blankValues, formQuestions, termsOf } from "@/lib/forms/form-values";
import type { ReviewForm } from "@/lib/forms/schema";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { safeUrl } from "@/lib/platform/mail/branding";
import { isStorable, storableText } from "@/lib/platform/storable-text";
import { minWordsFor } from "@/lib/reviews/reviews/rules";
import { categoryOf } from "@/lib/reviews/reviews/submit-review";

const MAX_ID_LENGTH = 255;
/** The item's position in the form, which has only one item. */
export const POSITION = 1;

const optionalText = z.string().optional().catch(undefined);
// Anyone can build such a link, so invalid ids and names count as missing.
const Link = z.object({
  client_id: optionalText,
  key: optionalText,
  url_key: optionalText,
  name: optionalText,
  lang: optionalText,
  noheader: optionalText,
  messageid: optionalText,
  url: optionalText,
});

/** The web form's query parameters, as requested. */
export type WebFormLink = z.input<typeof Link>;

/** The subject of the review. `name` is null if neither the catalog nor the link has one. */
type Subject = {
  productId: string | null;
  familyId: string | null;
  name: string | null;
  url: string | null;
  image_url: string | null;
  category: string | null;
};

export type OpenWebForm = { state: "open"; client: ClientRow; language: Language; subject: Subject };

export type WebForm =
  | OpenWebForm
  /** the link has no product */
  | { state: "no_product"; client: ClientRow; language: Language }
  /** the client doesn't exist */
  | { state: "unknown" };

/**
 * Resolves a web form link: the client, and the product by its id (`key`), else its family (`url_key`), as in the
 * catalog, else with the link's name. Read-only.
 */
export async function openWebForm(link: WebFormLink): Promise<WebForm> {
  const { client_id, key, url_key, name, lang } = Link.catch({}).parse(link);
  const clientId = idOf(client_id);
  const client = clientId && (await getClient(clientId));
  if (!client) return { state: "unknown" };
  const language = languageOf(lang, client.locale);
  const named = { productId: idOf(key), familyId: idOf(url_key) };
  if (!named.productId && !named.familyId) return { state: "no_product", client, language };
  const [match, category] = await Promise.all([findSubject(client, named), categoryOf(client, named)]);
  // Another product of the family isn't the linked one.
  const found = !named.productId || match?.id === named.productId ? match : null;
  const subject = {
    ...named,
    name: found?.name ?? nameOf(name),
    url: safeUrl(found?.url),
    image_url: toSafeImageUrl(found?.image_url ?? null),
    category,
  };
  return { state: "open", client, language, subject };
}

/** The form's initial state. */
export function toWebForm({ client, language, subject }: OpenWebForm): ReviewForm {
  const minWords = minWordsFor(client, { order: null });
  return {
    items: [
      {
        position: POSITION,
        name: subjectName(subject),
        image_url: subject.image_url,
        reviewed: false,
        photos: [],
        questions: formQuestions(client, subject.category, language),
        fewest_words: { promoter: minWords, others: minWords },
      },
    ],
    values: {
      items: { [POSITION]: blankValues() },
      seller: { score: "", title: "", content: "" },
      author: "",
      email: "",
      terms: false,
    },
    shop: client.display_name,
    skippable: false,
    asks: {
      seller: false,
      pros_cons: client.collect_pros_cons,
      recommended: client.collect_recommended,
      email: client.require_verification ? "required" : "optional",
    },
    incentive: incentiveOf(client),
    terms: client.must_agree_to_terms_web ? termsOf(client, language) : null,
    upload_key: { client_id: client.id, api_key: client.public_key },
  };
}

/** The subject's display name, or an id if it has none. */
export const subjectName = ({ name, productId, familyId }: Subject): string => name ?? productId ?? familyId ?? "";

const idOf = (value: string | undefined): string | null =>
  value && value.trim() !== "" && isStorable(value) && [...value].length <= MAX_ID_LENGTH ? value : null;

/** A name on one line, truncated to the maximum length. */
function nameOf(value = ""): string | null {
  const line = storableText(value).replace(/\s+/g, " ").trim();
  return [...line].slice(0, MAX_ID_LENGTH).join("").trim() || null;
}
