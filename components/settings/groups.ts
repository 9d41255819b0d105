import { languageName } from "@/components/settings/language-name";
import type { Settings } from "@/components/settings/model";
import type { Group } from "@/components/settings/settings-form";
import { languages } from "@/lib/platform/i18n/languages";
import type { Words } from "@/lib/platform/i18n/rules";

// Every setting of a client in plain words: what it is, and what follows from it. One list a page, said on the server, so
// that no words of it are in a script.

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

export const shopGroups = (t: Words, zones: string[]): Group[] => [
  {
    title: t("The shop"),
    fields: [
      {
        name: "display_name",
        kind: "text",
        label: t("Name of the shop"),
        hint: t("Stands in forms, in the widget and in mails."),
        blank: "required",
      },
      {
        name: "locale",
        kind: "choice",
        label: t("Language and country"),
        hint: t(
          "Forms and mails speak {n} languages; this is the one where a customer's is not known. The rules of moderation expect reviews in it, and telephone numbers as that country writes them.",
          { n: languages.length },
        ),
        blank: "required",
        options: locales.map((value) => ({
          value,
          label: languageName(value, t.locale),
        })),
      },
      {
        name: "config.time_zone",
        kind: "choice",
        label: t("Time zone"),
        hint: t("Days are yours: the limit of mails a day, the quarantine and all dates go by it."),
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
    title: t("Where customers reach you"),
    text: t("Mails and forms lead there."),
    fields: [
      {
        name: "contact_email",
        kind: "email",
        label: t("E-mail address of customer support"),
        hint: t("Who answers a mail of yours writes to it."),
        blank: null,
      },
      {
        name: "contact_url",
        kind: "url",
        label: t("Help page"),
        blank: null,
        placeholder: "https://shop.example/help",
      },
    ],
  },
  {
    title: t("How it looks"),
    fields: [
      {
        name: "config.logo_url",
        kind: "url",
        label: t("Address of your logo"),
        hint: t("Mails and forms show it instead of the name."),
        blank: undefined,
        placeholder: "https://shop.example/logo.png",
      },
      {
        name: "config.logo_width",
        kind: "number",
        label: t("Its width"),
        unit: t("pixels"),
        blank: undefined,
      },
      {
        name: "config.logo_height",
        kind: "number",
        label: t("Its height"),
        unit: t("pixels"),
        blank: undefined,
      },
      {
        name: "config.accent_color",
        kind: "color",
        label: t("Colour of buttons"),
        hint: t("In mails and in the widget. The words on it are made light or dark, so that they can be read."),
        blank: undefined,
      },
    ],
  },
];

export const formGroups = (t: Words): Group[] => [
  {
    title: t("What is asked"),
    text: t("The form behind an invitation, the one on your pages and the widget's follow at once."),
    fields: [
      {
        name: "collect_pros_cons",
        kind: "switch",
        label: t("Pros and cons"),
        on: t("Customers may list what is good and what is not."),
        off: t("Nobody is asked. What is sent all the same is left out."),
      },
      {
        name: "collect_recommended",
        kind: "switch",
        label: t("Would you recommend it?"),
        on: t("Customers may say yes or no."),
        off: t("Nobody is asked. What is sent all the same is left out."),
      },
      {
        name: "collect_seller_reviews",
        kind: "switch",
        label: t("Reviews of the shop"),
        on: t("Invitations ask about the shop too, once for each order."),
        off: t("Invitations ask about products only."),
      },
      {
        name: "collect_questions",
        kind: "switch",
        label: t("Questions about products"),
        on: t("Visitors may ask, and you answer here."),
        off: t("The widget offers no question, and the API refuses them."),
      },
    ],
  },
  {
    title: t("How much is to be written"),
    text: t(
      "Counted when the form is sent, in words of any language. Reviews that the API or an import brings are not counted.",
    ),
    fields: [
      {
        name: "min_review_words",
        kind: "number",
        label: t("Words a review must have"),
        unit: t("words"),
        hint: t("Empty: stars alone are enough. Every word asked for costs reviews."),
        blank: null,
      },
      {
        name: "min_review_words_promoter",
        kind: "number",
        label: t("For verified buyers who give 4 or 5 stars"),
        unit: t("words"),
        hint: t(
          "Takes the place of the number above for them. Empty: the same for all. It is the only setting that looks at the stars.",
        ),
        blank: null,
      },
    ],
  },
  {
    title: t("Who is believed"),
    fields: [
      {
        name: "require_verification",
        kind: "switch",
        label: t("Authors confirm their e-mail address"),
        on: t(
          "Whoever writes without an invitation must give an address and use the link mailed to it. Until then nobody is bothered with the text.",
        ),
        off: t("Whoever writes without an invitation may leave the address out."),
      },
    ],
  },
  {
    title: t("Terms"),
    text: t("When and to which words somebody agreed is kept with the review."),
    fields: [
      {
        name: "must_agree_to_terms",
        kind: "switch",
        label: t("Verified buyers must agree"),
        on: t("The form behind an invitation has a box to tick."),
        off: t("The form behind an invitation has no such box."),
      },
      {
        name: "must_agree_to_terms_web",
        kind: "switch",
        label: t("Everybody else must agree"),
        on: t("The forms on your pages have a box to tick."),
        off: t("The forms on your pages have no such box."),
      },
      {
        name: "config.terms_url",
        kind: "url",
        label: t("Address of your terms"),
        blank: undefined,
        placeholder: "https://shop.example/review-terms",
      },
      {
        name: "config.terms_text",
        kind: "texts",
        label: t("Or their words"),
        hint: t("Shown in the reader's language where there is one, else in your shop's."),
      },
    ],
  },
];

export const questionGroups = (t: Words): Group[] => [
  {
    title: t("Your own questions"),
    text: t(
      "They follow the stars in every review form. Answers stand beside the review, and their shares above the list.",
    ),
    fields: [{ name: "custom_questions", kind: "questions", label: t("Questions") }],
  },
];

export const moderationGroups = (t: Words): Group[] => [
  {
    title: t("Who decides"),
    fields: [
      {
        name: "own_moderation",
        kind: "switch",
        label: t("We moderate ourselves"),
        on: t("What waits is in your own queue."),
        off: t("What waits is in the operator's queue. You can decide all the same."),
      },
      {
        name: "auto_moderate",
        kind: "switch",
        label: t("Rules decide what they can"),
        on: t(
          "What no rule objects to is published at once, what a rule is certain of is rejected, the rest waits for a person. What waits now is judged as soon as you save.",
        ),
        off: t("Everything waits for a person."),
      },
    ],
  },
  {
    title: t("The rules"),
    text: t(
      "They run on this server, and no text leaves it. None of them sees the stars. What each finds is marked in the text for whoever decides.",
    ),
    fields: [{ name: "rules", kind: "rules", label: t("Rules") }],
  },
];

export const displayGroups = (t: Words): Group[] => [
  {
    title: t("What your pages show"),
    fields: [
      {
        name: "expand_family",
        kind: "switch",
        label: t("Variants share their reviews"),
        on: t("A product's page shows the reviews of its whole family: every size, every colour."),
        off: t("A product's page shows its own reviews only."),
      },
      {
        name: "external_pro_reviews",
        kind: "switch",
        label: t("Expert reviews from other sites"),
        on: t("Their number and a link stand beside yours, where an import brought them."),
        off: t("They are not named. They count in the overall score of the API all the same."),
      },
      {
        name: "external_user_reviews",
        kind: "switch",
        label: t("Customer reviews from other sites"),
        on: t("Their number and a link stand beside yours, where an import brought them."),
        off: t("They are not named. They count in the overall score of the API all the same."),
      },
      {
        name: "external_review_locale",
        kind: "text",
        label: t("Only those in these locales"),
        hint: t("Separated by commas. Empty: all."),
        blank: "",
        placeholder: "en_US, sv_SE",
      },
      {
        name: "external_review_countries",
        kind: "text",
        label: t("Only those from these countries"),
        hint: t("Codes of two letters, separated by commas. Empty: all."),
        blank: null,
        placeholder: "SE, DE",
      },
    ],
  },
  {
    title: t("Where it may be embedded"),
    fields: [
      {
        name: "allowed_origins",
        kind: "lines",
        label: t("Pages that may send reviews"),
        hint: t(
          "One a line, as https://shop.example. Empty: any page. With entries, a form on any other page is refused; reading is open to all.",
        ),
        placeholder: "https://shop.example",
      },
    ],
  },
];

export const sendingGroups = (t: Words, contractLimit: Settings["contract_send_limit"]): Group[] => [
  {
    title: t("When customers are asked"),
    text: t("The rehearsal shows, with the orders you had, how many mails other numbers would send."),
    fields: [
      {
        name: "send_emails_after_days",
        kind: "number",
        label: t("Ask after"),
        unit: t("days after delivery"),
        hint: t("Long enough to have used it, short enough to remember."),
        blank: "required",
      },
      {
        name: "send_emails_before_days",
        kind: "number",
        label: t("Ask until"),
        unit: t("days after delivery"),
        hint: t("Older deliveries are never asked about."),
        blank: "required",
      },
      {
        name: "quarantine_period",
        kind: "number",
        label: t("Quarantine"),
        unit: t("days"),
        hint: t("A customer gets one mail in this time, whatever they bought. Empty: 21."),
        blank: null,
        placeholder: "21",
      },
      {
        name: "send_limit",
        kind: "number",
        label: t("Mails a day, at most"),
        unit: t("mails"),
        hint:
          contractLimit === null
            ? t("What is over waits for the next day, the oldest delivery first.")
            : t("Your contract allows {n}. What is over waits for the next day, the oldest delivery first.", {
                n: contractLimit,
              }),
        blank: "required",
      },
      {
        name: "config.send_hours",
        kind: "hours",
        label: t("Mails leave between"),
        hint: t("In your time zone."),
      },
      {
        name: "config.reminder_after_days",
        kind: "number",
        label: t("One reminder to those who did not answer"),
        unit: t("days later"),
        hint: t("Empty: none. Not within the quarantine above; it counts for the limit."),
        blank: undefined,
      },
      {
        name: "config.seller_only",
        kind: "switch",
        label: t("Ask about the shop alone"),
        on: t("Where an order has no product to ask about, its customer is asked about the shop."),
        off: t("Where an order has no product to ask about, its customer gets no mail."),
        hint: t("Such a mail counts like any other. It needs reviews of the shop."),
      },
      {
        name: "config.own_sender",
        kind: "switch",
        label: t("Your own sender mails them"),
        on: t("Invitations and reminders are handed to your own system, with the customer's address and all links."),
        off: t("Candor mails invitations and reminders itself."),
        hint: t("It needs a webhook that takes invitations for your own sender. Until there is one, mails wait."),
      },
    ],
  },
  {
    title: t("What the mails say of you"),
    fields: [
      {
        name: "email_name",
        kind: "text",
        label: t("From"),
        hint: t("The name in front of the address."),
        blank: "required",
      },
      {
        name: "config.from_address",
        kind: "email",
        label: t("From the address"),
        hint: t("Empty: the address of this server. Your mail service must be allowed to send for it."),
        blank: undefined,
      },
      {
        name: "config.max_items",
        kind: "number",
        label: t("Products in one mail, at most"),
        unit: t("products"),
        blank: undefined,
        placeholder: "10",
      },
    ],
  },
];
