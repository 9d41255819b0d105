import type { Settings } from "@/components/settings/model";
import type { Group } from "@/components/settings/settings-form";
import { languageNames } from "@/components/settings/texts";
import { type Language, languages } from "@/lib/languages/rules";

// Every setting of a client in plain words: what it is, and what follows from it. One list a page.

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

const localeName = (locale: string): string =>
  new Intl.DisplayNames("en", { type: "language" }).of(locale.replace("_", "-")) ?? locale;

export const shopGroups = (zones: string[]): Group[] => [
  {
    title: "The shop",
    fields: [
      {
        name: "display_name",
        kind: "text",
        label: "Name of the shop",
        hint: "Stands in forms, in the widget and in mails.",
        blank: "required",
      },
      {
        name: "locale",
        kind: "choice",
        label: "Language and country",
        hint: `Forms and mails speak ${languages.length} languages; this is the one where a customer's is not known. The rules of moderation expect reviews in it, and telephone numbers as that country writes them.`,
        blank: "required",
        options: locales.map((value) => ({ value, label: localeName(value) })),
      },
      {
        name: "config.time_zone",
        kind: "choice",
        label: "Time zone",
        hint: "Days are yours: the limit of mails a day, the quarantine and all dates go by it.",
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
    title: "Where customers reach you",
    text: "Mails and forms lead there.",
    fields: [
      {
        name: "contact_email",
        kind: "email",
        label: "E-mail address of customer support",
        hint: "Who answers a mail of yours writes to it.",
        blank: null,
      },
      {
        name: "contact_url",
        kind: "url",
        label: "Help page",
        blank: null,
        placeholder: "https://shop.example/help",
      },
    ],
  },
  {
    title: "How it looks",
    fields: [
      {
        name: "config.logo_url",
        kind: "url",
        label: "Address of your logo",
        hint: "Mails and forms show it instead of the name.",
        blank: undefined,
        placeholder: "https://shop.example/logo.png",
      },
      {
        name: "config.logo_width",
        kind: "number",
        label: "Its width",
        unit: "pixels",
        blank: undefined,
      },
      {
        name: "config.logo_height",
        kind: "number",
        label: "Its height",
        unit: "pixels",
        blank: undefined,
      },
      {
        name: "config.accent_color",
        kind: "color",
        label: "Colour of buttons",
        hint: "In mails and in the widget. The words on it are made light or dark, so that they can be read.",
        blank: undefined,
      },
    ],
  },
];

export const formGroups: Group[] = [
  {
    title: "What is asked",
    text: "The form behind an invitation, the one on your pages and the widget's follow at once.",
    fields: [
      {
        name: "collect_pros_cons",
        kind: "switch",
        label: "Pros and cons",
        on: "Customers may list what is good and what is not.",
        off: "Nobody is asked. What is sent all the same is left out.",
      },
      {
        name: "collect_recommended",
        kind: "switch",
        label: "Would you recommend it?",
        on: "Customers may say yes or no.",
        off: "Nobody is asked. What is sent all the same is left out.",
      },
      {
        name: "collect_seller_reviews",
        kind: "switch",
        label: "Reviews of the shop",
        on: "Invitations ask about the shop too, once for each order.",
        off: "Invitations ask about products only.",
      },
      {
        name: "collect_questions",
        kind: "switch",
        label: "Questions about products",
        on: "Visitors may ask, and you answer here.",
        off: "The widget offers no question, and the API refuses them.",
      },
    ],
  },
  {
    title: "How much is to be written",
    text: "Counted when the form is sent, in words of any language. Reviews that the API or an import brings are not counted.",
    fields: [
      {
        name: "min_review_words",
        kind: "number",
        label: "Words a review must have",
        unit: "words",
        hint: "Blank: stars alone are enough. Every word asked for costs reviews.",
        blank: null,
      },
      {
        name: "min_review_words_promoter",
        kind: "number",
        label: "For verified buyers who give 4 or 5 stars",
        unit: "words",
        hint: "Takes the place of the number above for them. Blank: the same for all. It is the only setting that looks at the stars.",
        blank: null,
      },
    ],
  },
  {
    title: "Who is believed",
    fields: [
      {
        name: "require_verification",
        kind: "switch",
        label: "Authors confirm their e-mail address",
        on: "Whoever writes without an invitation must give an address and use the link mailed to it. Until then nobody is bothered with the text.",
        off: "Whoever writes without an invitation may leave the address out.",
      },
    ],
  },
  {
    title: "Terms",
    text: "When and to which words somebody agreed is kept with the review.",
    fields: [
      {
        name: "must_agree_to_terms",
        kind: "switch",
        label: "Verified buyers must agree",
        on: "The form behind an invitation has a box to tick.",
        off: "The form behind an invitation has no such box.",
      },
      {
        name: "must_agree_to_terms_web",
        kind: "switch",
        label: "Everybody else must agree",
        on: "The forms on your pages have a box to tick.",
        off: "The forms on your pages have no such box.",
      },
      {
        name: "config.terms_url",
        kind: "url",
        label: "Address of your terms",
        blank: undefined,
        placeholder: "https://shop.example/review-terms",
      },
      {
        name: "config.terms_text",
        kind: "texts",
        label: "Or their words",
        hint: "Shown in the reader's language where there is one, else in your shop's.",
      },
    ],
  },
];

export const questionGroups: Group[] = [
  {
    title: "Your own questions",
    text: "They follow the stars in every review form. Answers stand beside the review, and their shares above the list.",
    fields: [{ name: "custom_questions", kind: "questions", label: "Questions" }],
  },
];

export const moderationGroups: Group[] = [
  {
    title: "Who decides",
    fields: [
      {
        name: "own_moderation",
        kind: "switch",
        label: "We moderate ourselves",
        on: "What waits is in your own queue.",
        off: "What waits is in the operator's queue. You can decide all the same.",
      },
      {
        name: "auto_moderate",
        kind: "switch",
        label: "Rules decide what they can",
        on: "What no rule objects to is published at once, what a rule is certain of is rejected, the rest waits for a person. What waits now is judged as soon as you save.",
        off: "Everything waits for a person.",
      },
    ],
  },
  {
    title: "The rules",
    text: "They run on this server, and no text leaves it. None of them sees the stars. What each finds is marked in the text for whoever decides.",
    fields: [{ name: "rules", kind: "rules", label: "Rules" }],
  },
];

export const displayGroups: Group[] = [
  {
    title: "What your pages show",
    fields: [
      {
        name: "expand_family",
        kind: "switch",
        label: "Variants share their reviews",
        on: "A product's page shows the reviews of its whole family: every size, every colour.",
        off: "A product's page shows its own reviews only.",
      },
      {
        name: "external_pro_reviews",
        kind: "switch",
        label: "Expert reviews from other sites",
        on: "Their number and a link stand beside yours, where an import brought them.",
        off: "They are not named. They count in the overall score of the API all the same.",
      },
      {
        name: "external_user_reviews",
        kind: "switch",
        label: "Customer reviews from other sites",
        on: "Their number and a link stand beside yours, where an import brought them.",
        off: "They are not named. They count in the overall score of the API all the same.",
      },
      {
        name: "external_review_locale",
        kind: "text",
        label: "Only those in these locales",
        hint: "Separated by commas. Blank: all.",
        blank: "",
        placeholder: "en_US, sv_SE",
      },
      {
        name: "external_review_countries",
        kind: "text",
        label: "Only those from these countries",
        hint: "Codes of two letters, separated by commas. Blank: all.",
        blank: null,
        placeholder: "SE, DE",
      },
    ],
  },
  {
    title: "Where it may be embedded",
    fields: [
      {
        name: "allowed_origins",
        kind: "lines",
        label: "Pages that may send reviews",
        hint: "One a line, as https://shop.example. Blank: any page. With entries, a form on any other page is refused; reading is open to all.",
        placeholder: "https://shop.example",
      },
    ],
  },
];

export const sendingGroups = (contractLimit: Settings["contract_send_limit"]): Group[] => [
  {
    title: "When customers are asked",
    text: "The rehearsal shows, with the orders you had, how many mails other numbers would send.",
    fields: [
      {
        name: "send_emails_after_days",
        kind: "number",
        label: "Earliest",
        unit: "days after delivery",
        hint: "Long enough to have used it, short enough to remember.",
        blank: "required",
      },
      {
        name: "send_emails_before_days",
        kind: "number",
        label: "Latest",
        unit: "days after delivery",
        hint: "Older deliveries are never asked about.",
        blank: "required",
      },
      {
        name: "quarantine_period",
        kind: "number",
        label: "Peace after a mail",
        unit: "days",
        hint: "A customer gets one mail in this time, whatever they bought. Blank: 21.",
        blank: null,
        placeholder: "21",
      },
      {
        name: "send_limit",
        kind: "number",
        label: "Mails a day, at most",
        unit: "mails",
        hint:
          contractLimit === null
            ? "What is over waits for the next day, the oldest delivery first."
            : `Your contract allows ${contractLimit.toLocaleString("en-GB")}. What is over waits for the next day, the oldest delivery first.`,
        blank: "required",
      },
      {
        name: "config.send_hours",
        kind: "hours",
        label: "Mails leave between",
        hint: "In your time zone.",
      },
      {
        name: "config.reminder_after_days",
        kind: "number",
        label: "One reminder to those who did not answer",
        unit: "days later",
        hint: "Blank: none. Not within the peace above; it counts for the limit.",
        blank: undefined,
      },
      {
        name: "config.seller_only",
        kind: "switch",
        label: "Ask about the shop alone",
        on: "Where an order has no product to ask about, its customer is asked about the shop.",
        off: "Where an order has no product to ask about, its customer gets no mail.",
        hint: "Such a mail counts like any other. It needs reviews of the shop.",
      },
      {
        name: "config.own_sender",
        kind: "switch",
        label: "Your own sender mails them",
        on: "Invitations and reminders are handed to your own system, with the customer's address and all links.",
        off: "Candor mails invitations and reminders itself.",
        hint: "It needs a webhook that takes invitation.handed. Until there is one, mails wait.",
      },
    ],
  },
  {
    title: "What the mails say of you",
    fields: [
      {
        name: "email_name",
        kind: "text",
        label: "From",
        hint: "The name in front of the address.",
        blank: "required",
      },
      {
        name: "config.from_address",
        kind: "email",
        label: "From the address",
        hint: "Blank: the address of this server. Your mail service must be allowed to send for it.",
        blank: undefined,
      },
      {
        name: "config.max_items",
        kind: "number",
        label: "Products in one mail, at most",
        unit: "products",
        blank: undefined,
        placeholder: "10",
      },
    ],
  },
];

/** The templates of a language, or of all that have none of their own; `starters`: what to begin with. */
export function templateGroups(language: Language | null, starters: { html: string; text: string }): Group[] {
  const at = <Part extends "subject" | "html_template" | "text_template">(part: Part) =>
    language === null ? (`config.${part}` as const) : (`config.templates.${language}.${part}` as const);
  const others = language === null ? "ours" : "the one for all languages";
  return [
    {
      title: language === null ? "Your own templates" : `Your own templates, ${languageNames[language]}`,
      text:
        language === null
          ? "In Liquid, for every language that has none of its own: {{ language }} says which it is, and our own wording comes in it. What is blank is ours."
          : "In Liquid, for customers of this language. What is blank is as for all languages.",
      fields: [
        {
          name: at("subject"),
          kind: "text",
          label: "Subject",
          hint: "{{ subject }} is ours; {{ client_name }} and {{ items[0].name }} are yours to use.",
          blank: undefined,
          placeholder: language === null ? "{{ subject }}" : "Blank: the one for all languages.",
        },
        {
          name: at("html_template"),
          kind: "code",
          label: "HTML",
          hint: "It must link to {{ opt_out_url }} and {{ review_url }}. Values are escaped.",
          starter: starters.html,
          others,
        },
        {
          name: at("text_template"),
          kind: "code",
          label: "Plain text",
          hint: "For readers that show no HTML; it must name the same two.",
          starter: starters.text,
          others,
        },
      ],
    },
  ];
}
