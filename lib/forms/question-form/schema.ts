import type { Terms } from "@/lib/forms/schema";

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

/** Its wording in one language, beside that which all forms share. */
export type QuestionWords = Record<
  | "page_title"
  | "heading"
  | "intro"
  | "question"
  | "question_hint"
  | "details"
  | "details_hint"
  | "author"
  | "mail_answer"
  | "email_hint"
  | "email_required_hint"
  | "fault_question"
  | "sent"
  | "sent_next"
  | "sent_mail"
  | "sent_confirm"
  | "off_heading"
  | "off",
  string
>;
