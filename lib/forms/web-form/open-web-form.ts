import { z } from "zod";
import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { findSubject } from "@/lib/catalog/products/find-subject";
import { toSafeImageUrl } from "@/lib/forms/brand";
import { blankValues, formQuestions, termsOf } from "@/lib/forms/form-values";
import type { ReviewForm } from "@/lib/forms/schema";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { webAddress } from "@/lib/platform/mail/branding";
import { isStorable, storableText } from "@/lib/platform/storable-text";
import { minWordsFor } from "@/lib/reviews/reviews/rules";
import { categoryOf } from "@/lib/reviews/reviews/submit-review";

const MAX_ID_LENGTH = 255;
/** The item's place in the form, which has but one. */
export const POSITION = 1;

const given = z.string().optional().catch(undefined);
// Anybody can write such an address: what no id and no name can be counts as not given.
const Link = z.object({ client_id: given, key: given, url_key: given, name: given, lang: given });

/** The query of the web form's address, as it was asked for. */
export type WebFormLink = z.input<typeof Link>;

/** What the review will be about. `name` is null where neither catalogue nor link has one. */
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
  /** the link names no product */
  | { state: "no_product"; client: ClientRow; language: Language }
  /** the link names no client that exists */
  | { state: "unknown" };

/**
 * What the web form's address leads to: the client, the product by its id (`key`), else its family (`url_key`), as the
 * catalogue shows it, else under the name in the link. Writes nothing.
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
  // Another product of the family is not the one that the link names.
  const found = !named.productId || match?.id === named.productId ? match : null;
  const subject = {
    ...named,
    name: found?.name ?? nameOf(name),
    url: webAddress(found?.url),
    image_url: toSafeImageUrl(found?.image_url ?? null),
    category,
  };
  return { state: "open", client, language, subject };
}

/** The form as it first shows. */
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
    terms: client.must_agree_to_terms_web ? termsOf(client, language) : null,
    upload_key: { client_id: client.id, api_key: client.public_key },
  };
}

/** What to call it: people prefer its name. */
export const subjectName = ({ name, productId, familyId }: Subject): string => name ?? productId ?? familyId ?? "";

const idOf = (value: string | undefined): string | null =>
  value && value.trim() !== "" && isStorable(value) && [...value].length <= MAX_ID_LENGTH ? value : null;

/** A name on one line, cut where it gets too long. */
function nameOf(value = ""): string | null {
  const line = storableText(value).replace(/\s+/g, " ").trim();
  return [...line].slice(0, MAX_ID_LENGTH).join("").trim() || null;
}
