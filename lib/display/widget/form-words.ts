import { questionWords } from "@/lib/forms/question-form/words";
import { formWords } from "@/lib/forms/words";
import type { Language } from "@/lib/platform/i18n/languages";

/** Of the hosted forms' words those that the widget's form says too. */
const shared = [
  "heading",
  "intro_web",
  "rating",
  "star_1",
  "star_2",
  "star_3",
  "star_4",
  "star_5",
  "title",
  "content",
  "content_hint",
  "content_words",
  "pros",
  "cons",
  "recommend",
  "yes",
  "no",
  "photos",
  "photos_hint",
  "photo_remove",
  "author",
  "email",
  "email_required_hint",
  "email_optional_hint",
  "terms",
  "terms_link",
  "optional",
  "send",
  "sending",
  "fault_score",
  "fault_author",
  "fault_email",
  "fault_terms",
  "fault_words",
  "fault_required",
  "fault_check",
  "fault_photo",
  "fault_photo_size",
  "fault_photos_many",
  "fault_photo_gone",
  "fault_busy",
  "thanks_heading",
  "thanks_one",
  "thanks_next",
  "thanks_confirm",
] as const;

/** Of those of the form for questions. */
const asking = [
  "heading",
  "intro",
  "question",
  "question_hint",
  "details",
  "details_hint",
  "author",
  "mail_answer",
  "email_hint",
  "email_required_hint",
  "fault_question",
  "sent",
  "sent_next",
  "sent_mail",
  "sent_confirm",
] as const;

export type WidgetFormWords = Record<(typeof shared)[number], string>;
export type WidgetQuestionWords = Record<(typeof asking)[number], string>;

const picked = <Name extends string>(words: Record<Name, string>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, words[name]])) as Record<Name, string>;

/** What the widget's forms say in a language. */
export const widgetFormWords = (
  language: Language,
): { words: WidgetFormWords; question_words: WidgetQuestionWords } => ({
  words: picked(formWords[language], shared),
  question_words: picked(questionWords[language], asking),
});
