import type { Terms } from "@/lib/forms/schema";
import type { CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import type { KeyOf, PublicMessages } from "@/lib/platform/i18n/translator";

/** What the form shows and takes by which a visitor asks about a product. Browser-safe. */

/** As typed. */
export type QuestionValues = {
  question: string;
  details: string;
  author: string;
  email: string;
  /** the answer is to be mailed */
  mail_answer: boolean;
  terms: boolean;
};

export type QuestionForm = {
  subject: { name: string; image_url: string | null };
  values: QuestionValues;
  shop: string;
  /** whether the address is asked for in any case, only of who wants the answer mailed, or not at all */
  email: "needed" | "for_answer" | null;
  terms: Terms | null;
};

/** Its texts in one language, as the browser gets and formats them. */
export type QuestionFormTexts = CompactTexts<KeyOf<Pick<PublicMessages, "form" | "questionForm">>>;
