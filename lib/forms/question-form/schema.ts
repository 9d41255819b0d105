import type { Terms } from "@/lib/forms/schema";
import type { CompactTexts } from "@/lib/platform/i18n/compact-formatter";
import type { KeyOf, PublicMessages } from "@/lib/platform/i18n/translator";

/** What a visitor's question form shows and accepts. Browser-safe. */

/** Values as typed. */
export type QuestionValues = {
  question: string;
  details: string;
  author: string;
  email: string;
  /** the visitor wants the answer by email */
  mail_answer: boolean;
  terms: boolean;
};

export type QuestionForm = {
  subject: { name: string; image_url: string | null };
  values: QuestionValues;
  shop: string;
  /** whether an email address is required, required only to get the answer by email, or not asked for */
  email: "needed" | "for_answer" | null;
  terms: Terms | null;
};

/** The form's texts in one language, as the browser receives and formats them. */
export type QuestionFormTexts = CompactTexts<KeyOf<Pick<PublicMessages, "form" | "questionForm">>>;
