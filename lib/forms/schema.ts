import type { CompactFormatter, CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import type { KeyOf, PublicMessages } from "@/lib/platform/i18n/translator";

/** What the hosted forms show and take: the one behind an invitation, and the one that a shop's pages link to. Browser-safe. */

/** Photos of one review at most. */
export const MAX_PHOTOS = 10;
/** Bytes of one photo at most. */
export const MAX_PHOTO_BYTES = 10 * 1024 * 1024;
/** Pros, and cons, of one review at most: as many as the collection interface takes. */
export const MAX_POINTS = 100;
/** Lines for pros, and for cons, that the form offers. */
export const POINT_LINES = 3;

/** What is typed for one item. Texts are as typed; an answer is a text, an option id, or several of them. */
export type ItemValues = {
  /** "" = not rated: the item is skipped */
  score: string;
  title: string;
  content: string;
  pros: string[];
  cons: string[];
  recommended: "" | "yes" | "no";
  /** tokens of uploads that stay */
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
 * null: nothing sent yet. Otherwise what was wrong, and what was typed. `asked`: nothing was, but a review has no text; sent
 * again it goes as it is.
 */
export type FormState<Values = FormValues> = { issues: FormIssue[]; values: Values; asked?: boolean } | null;

/** What somebody is to agree to: an address, a text, or both. */
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

/** An item of the form. `photos` are those of the review that exists already. */
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
  /** whether an item may be left without stars, as of a mail that asks for several; else its fields are open from the start */
  skippable: boolean;
  asks: { seller: boolean; pros_cons: boolean; recommended: boolean; email: "required" | "optional" | null };
  /** shown where the client asks for agreement */
  terms: Terms | null;
  /** with which photos are uploaded ahead of the form */
  upload_key: { client_id: string; api_key: string };
};

/** The texts of the form for reviews in one language, as the browser gets and formats them. */
export type ReviewFormTexts = CompactTexts<KeyOf<Pick<PublicMessages, "form" | "reviewForm">>>;
export type ReviewFormText = CompactFormatter<keyof ReviewFormTexts["messages"]>;
/** Those that all forms share. */
export type FormText = CompactFormatter<KeyOf<Pick<PublicMessages, "form">>>;
