import type { FieldDef } from "@/components/settings/fields";
import { languageName } from "@/components/settings/language-name";
import type { Settings } from "@/components/settings/settings-draft";
import type { Group } from "@/components/settings/settings-form";
import { languages } from "@/lib/platform/i18n/languages";
import type { Translate } from "@/lib/platform/i18n/translator";

// All settings of a client with their labels and hints, one list per page. Translated on the server, so that no script
// contains the texts.

const locales = [
  "en_US",
  "en_GB",
  "de_DE",
  "de_AT",
  "de_CH",
  "fr_FR",
  "fr_BE",
  "es_ES",
  "sv_SE",
  "da_DK",
  "fi_FI",
  "nb_NO",
  "nl_NL",
  "it_IT",
  "pl_PL",
];

/** The store's logo, which is also edited with the email templates. */
export const logoField = (t: Translate): FieldDef => ({
  name: "config.logo_url",
  kind: "logo",
  label: t("settingNames.logoUrl"),
  hint: t("settingNames.logoHint"),
  placeholder: "https://shop.example/logo.png",
});

export const shopGroups = (t: Translate, zones: string[]): Group[] => [
  {
    title: t("common.store"),
    fields: [
      {
        name: "display_name",
        kind: "text",
        label: t("common.storeName"),
        hint: t("settingNames.storeNameHint"),
        blank: "required",
      },
      {
        name: "locale",
        kind: "choice",
        label: t("settingNames.locale"),
        hint: t("settingNames.localeHint", { n: languages.length }),
        blank: "required",
        options: locales.map((value) => ({
          value,
          label: languageName(value, t.language),
        })),
      },
      {
        name: "config.time_zone",
        kind: "choice",
        label: t("settingNames.timeZone"),
        hint: t("settingNames.timeZoneHint"),
        blank: undefined,
        options: [
          { value: "", label: "UTC" },
          ...zones.map((value) => ({
            value,
            label: value.replaceAll("_", " "),
          })),
        ],
      },
    ],
  },
  {
    title: t("settingNames.supportTitle"),
    text: t("settingNames.supportHint"),
    fields: [
      {
        name: "contact_email",
        kind: "email",
        label: t("settingNames.supportEmail"),
        hint: t("settingNames.supportEmailHint"),
        blank: null,
      },
      {
        name: "contact_url",
        kind: "url",
        label: t("settingNames.helpPage"),
        blank: null,
        placeholder: "https://shop.example/help",
      },
    ],
  },
  {
    title: t("settingNames.brandingTitle"),
    fields: [
      logoField(t),
      {
        name: "config.logo_width",
        kind: "number",
        label: t("settingNames.logoWidth"),
        unit: t("settingNames.pixels"),
        blank: undefined,
      },
      {
        name: "config.logo_height",
        kind: "number",
        label: t("settingNames.logoHeight"),
        unit: t("settingNames.pixels"),
        blank: undefined,
      },
      {
        name: "config.accent_color",
        kind: "color",
        label: t("settingNames.buttonColor"),
        hint: t("settingNames.buttonColorHint"),
        blank: undefined,
      },
    ],
  },
];

export const formGroups = (t: Translate): Group[] => [
  {
    title: t("settingNames.formContentTitle"),
    text: t("settingNames.formContentHint"),
    fields: [
      {
        name: "collect_pros_cons",
        kind: "switch",
        label: t("settingNames.prosCons"),
        on: t("settingNames.prosConsOn"),
        off: t("settingNames.notAsked"),
      },
      {
        name: "collect_recommended",
        kind: "switch",
        label: t("settingNames.recommended"),
        on: t("settingNames.recommendedOn"),
        off: t("settingNames.notAsked"),
      },
      {
        name: "collect_seller_reviews",
        kind: "switch",
        label: t("settingNames.sellerReviews"),
        on: t("settingNames.sellerReviewsOn"),
        off: t("settingNames.sellerReviewsOff"),
      },
      {
        name: "collect_questions",
        kind: "switch",
        label: t("settingNames.productQuestions"),
        on: t("settingNames.productQuestionsOn"),
        off: t("settingNames.productQuestionsOff"),
      },
    ],
  },
  {
    title: t("settingNames.reviewLengthTitle"),
    text: t("settingNames.reviewLengthHint"),
    fields: [
      {
        name: "min_review_words",
        kind: "number",
        label: t("settingNames.minWords"),
        unit: t("settingNames.words"),
        hint: t("settingNames.minWordsHint"),
        blank: null,
      },
      {
        name: "min_review_words_promoter",
        kind: "number",
        label: t("settingNames.minWordsPromoter"),
        unit: t("settingNames.words"),
        hint: t("settingNames.minWordsPromoterHint"),
        blank: null,
      },
    ],
  },
  {
    title: t("settingNames.incentiveTitle"),
    text: t("settingNames.incentiveHint"),
    fields: [
      {
        name: "config.incentive",
        kind: "text",
        label: t("settingNames.incentive"),
        blank: undefined,
        placeholder: t("settingNames.incentiveExample"),
      },
    ],
  },
  {
    title: t("settingNames.verificationTitle"),
    fields: [
      {
        name: "require_verification",
        kind: "switch",
        label: t("settingNames.requireVerification"),
        on: t("settingNames.requireVerificationOn"),
        off: t("settingNames.requireVerificationOff"),
      },
    ],
  },
  {
    title: t("settingNames.termsTitle"),
    text: t("settingNames.termsHint"),
    fields: [
      {
        name: "must_agree_to_terms",
        kind: "switch",
        label: t("settingNames.termsVerified"),
        on: t("settingNames.termsVerifiedOn"),
        off: t("settingNames.termsVerifiedOff"),
      },
      {
        name: "must_agree_to_terms_web",
        kind: "switch",
        label: t("settingNames.termsOthers"),
        on: t("settingNames.termsOthersOn"),
        off: t("settingNames.termsOthersOff"),
      },
      {
        name: "config.terms_url",
        kind: "url",
        label: t("settingNames.termsUrl"),
        blank: undefined,
        placeholder: "https://shop.example/review-terms",
      },
      {
        name: "config.terms_text",
        kind: "texts",
        label: t("settingNames.termsText"),
        hint: t("settingNames.termsTextHint"),
      },
    ],
  },
];

export const questionGroups = (t: Translate): Group[] => [
  {
    title: t("settingNames.customQuestionsTitle"),
    text: t("settingNames.customQuestionsHint"),
    fields: [{ name: "custom_questions", kind: "questions", label: t("common.questions") }],
  },
];

export const moderationGroups = (t: Translate): Group[] => [
  {
    title: t("settingNames.moderatorTitle"),
    fields: [
      {
        name: "own_moderation",
        kind: "switch",
        label: t("settingNames.ownModeration"),
        on: t("settingNames.ownModerationOn"),
        off: t("settingNames.ownModerationOff"),
      },
      {
        name: "auto_moderate",
        kind: "switch",
        label: t("settingNames.autoModeration"),
        on: t("settingNames.autoModerationOn"),
        off: t("settingNames.autoModerationOff"),
      },
      {
        name: "config.hide_stars",
        kind: "switch",
        label: t("settingNames.hideStars"),
        on: t("settingNames.hideStarsOn"),
        off: t("settingNames.hideStarsOff"),
      },
    ],
  },
  {
    title: t("settingNames.rulesTitle"),
    text: t("settingNames.rulesHint"),
    fields: [{ name: "rules", kind: "rules", label: t("settingNames.rules") }],
  },
];

export const displayGroups = (t: Translate): Group[] => [
  {
    title: t("settingNames.pagesTitle"),
    fields: [
      {
        name: "expand_family",
        kind: "switch",
        label: t("settingNames.shareVariants"),
        on: t("settingNames.shareVariantsOn"),
        off: t("settingNames.shareVariantsOff"),
      },
      {
        name: "config.hide_honesty_badge",
        kind: "switch",
        label: t("settingNames.hideBadge"),
        on: t("settingNames.hideBadgeOn"),
        off: t("settingNames.hideBadgeOff"),
      },
      {
        name: "external_pro_reviews",
        kind: "switch",
        label: t("settingNames.expertReviews"),
        on: t("settingNames.externalOn"),
        off: t("settingNames.externalOff"),
      },
      {
        name: "external_user_reviews",
        kind: "switch",
        label: t("settingNames.customerReviews"),
        on: t("settingNames.externalOn"),
        off: t("settingNames.externalOff"),
      },
      {
        name: "external_review_locale",
        kind: "text",
        label: t("settingNames.onlyLocales"),
        hint: t("settingNames.onlyLocalesHint"),
        blank: "",
        placeholder: "en_US, sv_SE",
      },
      {
        name: "external_review_countries",
        kind: "text",
        label: t("settingNames.onlyCountries"),
        hint: t("settingNames.onlyCountriesHint"),
        blank: null,
        placeholder: "SE, DE",
      },
    ],
  },
  {
    title: t("settingNames.embeddingTitle"),
    fields: [
      {
        name: "allowed_origins",
        kind: "lines",
        label: t("settingNames.allowedSites"),
        hint: t("settingNames.allowedSitesHint"),
        placeholder: "https://shop.example",
      },
      {
        name: "config.widget_host",
        kind: "text",
        label: t("settingNames.widgetHost"),
        hint: t("settingNames.widgetHostHint"),
        blank: undefined,
        placeholder: "reviews.shop.example",
      },
    ],
  },
];

export const sendingGroups = (t: Translate, contractLimit: Settings["contract_send_limit"]): Group[] => [
  {
    title: t("settingNames.scheduleTitle"),
    text: t("settingNames.scheduleHint"),
    fields: [
      {
        name: "send_emails_after_days",
        kind: "number",
        label: t("settingNames.sendAfter"),
        unit: t("settingNames.daysAfterDelivery"),
        hint: t("settingNames.sendAfterHint"),
        blank: "required",
      },
      {
        name: "send_emails_before_days",
        kind: "number",
        label: t("settingNames.stopAfter"),
        unit: t("settingNames.daysAfterDelivery"),
        hint: t("settingNames.stopAfterHint"),
        blank: "required",
      },
      {
        name: "quarantine_period",
        kind: "number",
        label: t("settingNames.cooldown"),
        unit: t("common.days"),
        hint: t("settingNames.cooldownHint"),
        blank: null,
        placeholder: "21",
      },
      {
        name: "send_limit",
        kind: "number",
        label: t("settingNames.dailyLimit"),
        unit: t("settingNames.emails"),
        hint:
          contractLimit === null
            ? t("settingNames.dailyLimitHint")
            : t("settingNames.dailyLimitContractHint", {
                n: contractLimit,
              }),
        blank: "required",
      },
      {
        name: "config.send_hours",
        kind: "hours",
        label: t("settingNames.sendHours"),
        hint: t("settingNames.sendHoursHint"),
      },
      {
        name: "config.reminder_after_days",
        kind: "number",
        label: t("settingNames.reminder"),
        unit: t("settingNames.daysLater"),
        hint: t("settingNames.reminderHint"),
        blank: undefined,
      },
      {
        name: "config.seller_only",
        kind: "switch",
        label: t("settingNames.sellerOnly"),
        on: t("settingNames.sellerOnlyOn"),
        off: t("settingNames.sellerOnlyOff"),
        hint: t("settingNames.sellerOnlyHint"),
      },
      {
        name: "config.own_sender",
        kind: "switch",
        label: t("settingNames.externalSender"),
        on: t("settingNames.externalSenderOn"),
        off: t("settingNames.externalSenderOff"),
        hint: t("settingNames.externalSenderHint"),
      },
    ],
  },
  {
    title: t("settingNames.emailContentTitle"),
    fields: [
      {
        name: "email_name",
        kind: "text",
        label: t("settingNames.senderName"),
        hint: t("settingNames.senderNameHint"),
        blank: "required",
      },
      {
        name: "config.from_address",
        kind: "email",
        label: t("settingNames.fromAddress"),
        hint: t("settingNames.fromAddressHint"),
        blank: undefined,
      },
      {
        name: "config.max_items",
        kind: "number",
        label: t("settingNames.maxProducts"),
        unit: t("settingNames.products"),
        blank: undefined,
        placeholder: "10",
      },
    ],
  },
];
