import type { CompactFormatter, CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import type { KeyOf, PublicMessages } from "@/lib/platform/i18n/translator";

/**
 * What the hosted forms show and accept: the invitation form, and the web form that a store's pages link to.
 * Browser-safe.
 */

/** Maximum photos per review. */
export const MAX_PHOTOS = 10;
/** Maximum bytes per photo. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
/** Maximum pros, and maximum cons, per review; the collection API has the same limit. */
export const MAX_POINTS = 100;
/** Lines for pros, and for cons, in the form. */
export const POINT_LINES = 3;

/** Input for one item. Texts are as typed; an answer is a text, an option id, or several of them. */
export type ItemValues = {
  /** "" = not rated, so the item is skipped */
  score: string;
  title: string;
  content: string;
  pros: string[];
  cons: string[];
  recommended: "" | "yes" | "no";
  /** tokens of the uploads to keep */
  images: string[];
  answers: Record<string, string[]>;
  /** not received yet */
  later: boolean;
};

export type SellerValues = { score: string; title: string; content: string };

export type FormValues = {
  items: Record<string, ItemValues>;
  seller: SellerValues;
  author: string;
  email: string;
  terms: boolean;
};

/** An issue at a control: `field` is the control's id, such as `items.2.content`. */
export type FormIssue = { field: string; message: string };

/**
 * null: not submitted yet. Otherwise the issues and the input. `asked`: the only finding is a review without text,
 * which is accepted if the form is sent again.
 */
export type FormState<Values = FormValues> = { issues: FormIssue[]; values: Values; warned?: boolean } | null;

/** Terms the author must agree to: an address, a text, or both. */
export type Terms = { url: string | null; text: string | null };

/** A custom question in the form's language. */
export type FormQuestion = {
  id: string;
  label: string;
  type: "score" | "text" | "select";
  multiple: boolean;
  required: boolean;
  options: { id: string; label: string }[];
};

/** An item of the form. `photos` are those of the existing review. */
export type FormItem = {
  position: number;
  name: string;
  image_url: string | null;
  reviewed: boolean;
  photos: { token: string; src: string }[];
  questions: FormQuestion[];
  fewest_words: { promoter: number; others: number };
};

export type ReviewForm = {
  items: FormItem[];
  values: FormValues;
  shop: string;
  /** whether items may stay unrated, as in invitations for several; otherwise the fields are expanded from the start */
  skippable: boolean;
  asks: { seller: boolean; pros_cons: boolean; recommended: boolean; email: "required" | "optional" | null };
  /** what authors get for a review; null: nothing */
  incentive: string | null;
  /** shown if the client requires agreement */
  terms: Terms | null;
  /** key to upload photos before the form is submitted */
  upload_key: { client_id: string; api_key: string };
};

/** The texts of the review form in one language, as the browser receives and formats them. */
export type ReviewFormTexts = CompactTexts<KeyOf<Pick<PublicMessages, "form" | "reviewForm">>>;
export type ReviewFormText = CompactFormatter<keyof ReviewFormTexts["messages"]>;
/** The texts that all forms share. */
export type FormText = CompactFormatter<KeyOf<Pick<PublicMessages, "form">>>;

/** How a store's page may frame a form, and what the form sends to it. */
export type FormFrame = {
  /** origins that may frame the form; `*` is any */
  ancestors: string[];
  /** the page's name for this frame, repeated in each message */
  messageId: string | null;
  /** the page that the form links back to, if its origin may frame it */
  page: string | null;
  hasHeader: boolean;
};
