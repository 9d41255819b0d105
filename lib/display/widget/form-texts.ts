import type { Language } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";

/**
 * The messages of the widget's forms, formatted here so that the widget needn't: only a photo's name is inserted by the
 * browser, at `{name}`. The names are part of `form.json`. `n`: words that a review must have; `incentive`: what its author gets.
 */
export function widgetFormTexts(
  language: Language,
  { shop, n, incentive }: { shop: string; n: number; incentive: string | null },
) {
  const t = publicText(language);
  return {
    words: {
      heading: t("reviewForm.heading", { n: 1 }),
      intro_web: [t("reviewForm.introWeb"), incentive !== null && t("reviewForm.incentive", { incentive })]
        .filter(Boolean)
        .join(" "),
      rating: t("reviewForm.rating"),
      star_1: t("reviewForm.star1"),
      star_2: t("reviewForm.star2"),
      star_3: t("reviewForm.star3"),
      star_4: t("reviewForm.star4"),
      star_5: t("reviewForm.star5"),
      title: t("reviewForm.title"),
      content: t("reviewForm.content"),
      content_hint: t("reviewForm.contentHint"),
      content_words: t("reviewForm.contentWords", { n }),
      pros: t("reviewForm.pros"),
      cons: t("reviewForm.cons"),
      recommend: t("reviewForm.recommend"),
      yes: t("reviewForm.yes"),
      no: t("reviewForm.no"),
      photos: t("reviewForm.photos"),
      photos_hint: t("reviewForm.photosHint"),
      photo_remove: t("reviewForm.photoRemove", { number: "{name}" }),
      author: t("reviewForm.author"),
      email: t("form.email"),
      email_required_hint: t("reviewForm.emailRequiredHint", { shop }),
      email_optional_hint: t("reviewForm.emailOptionalHint"),
      terms: t("form.terms"),
      terms_link: t("form.termsLink"),
      optional: t("form.optional"),
      send: t("reviewForm.submit"),
      sending: t("form.sending"),
      fault_score: t("reviewForm.errorScore"),
      fault_author: t("form.errorAuthor"),
      fault_email: t("form.errorEmail"),
      fault_terms: t("form.errorTerms"),
      fault_words: t("reviewForm.errorWords", { n }),
      fault_required: t("reviewForm.errorRequired"),
      fault_check: t("reviewForm.errorInvalid"),
      fault_photo: t("reviewForm.errorPhoto", { name: "{name}" }),
      fault_photo_size: t("reviewForm.errorPhotoSize", { name: "{name}" }),
      fault_photos_many: t("reviewForm.errorTooManyPhotos"),
      fault_photo_gone: t("reviewForm.errorPhotoGone"),
      fault_busy: t("form.errorBusy"),
      thanks_heading: t("form.thanksHeading"),
      thanks_one: t("reviewForm.received", { n: 1 }),
      thanks_next: t("reviewForm.receivedNext"),
      thanks_confirm: t("reviewForm.receivedConfirm"),
    },
    question_words: {
      heading: t("questionForm.heading"),
      intro: t("questionForm.intro", { shop }),
      question: t("questionForm.question"),
      question_hint: t("questionForm.questionHint"),
      details: t("questionForm.details"),
      details_hint: t("questionForm.detailsHint"),
      author: t("questionForm.author"),
      mail_answer: t("questionForm.emailAnswer"),
      email_hint: t("questionForm.emailHint"),
      email_required_hint: t("questionForm.emailRequiredHint", { shop }),
      fault_question: t("questionForm.errorQuestion"),
      sent: t("questionForm.received"),
      sent_next: t("questionForm.receivedNext"),
      sent_mail: t("questionForm.receivedEmail"),
      sent_confirm: t("questionForm.receivedConfirm"),
      send: t("questionForm.submit"),
    },
  };
}
export type WidgetFormTexts = ReturnType<typeof widgetFormTexts>;
