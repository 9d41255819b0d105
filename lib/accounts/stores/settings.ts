import { z } from "zod";
import { RuleSettings } from "@/lib/accounts/stores/rule-settings";
import { DEFAULT_QUARANTINE_DAYS } from "@/lib/accounts/stores/rules";
import { BlocksByLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { emailAddress, filledText, text, webAddress } from "@/lib/platform/http/fields";
import { parse } from "@/lib/platform/http/issues";
import { type Language, languages } from "@/lib/platform/i18n/languages";
import { encodeReason, type Issue, type Params, type Reason } from "@/lib/platform/issue";

/** The settings of a client, with their validation. Browser-safe: the portal's form uses the same schema. */

const days = z.int().min(0).max(3_650);
const wordCount = z.int().min(0).max(1_000).nullable();
const localized = z.record(text(35), text(20_000));

const timeZone = text(64).refine(
  (value) => {
    // PostgreSQL reads the sign of an offset the other way round; a named zone also knows its daylight saving time.
    if (/^[+-]/.test(value)) return false;
    try {
      new Intl.DateTimeFormat("en", { timeZone: value });
      return true;
    } catch {
      return false; // Intl throws RangeError for an unknown zone
    }
  },
  { error: encodeReason("not_a_time_zone") },
);

/** A host name as in a URL, of at least two labels and not an IP address; with a port if it isn't the scheme's. */
const hostName = text(255).refine(
  (value) =>
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/.test(value) &&
    URL.canParse(`https://${value}`) &&
    new URL(`https://${value}`).host === value,
  { error: encodeReason("not_a_host_name") },
);

/** Parts of an email template, in Liquid. Blank counts as absent. */
const MailTexts = z.strictObject({
  subject: text(500).optional(),
  html_template: text(200_000).optional(),
  text_template: text(200_000).optional(),
});

/** Email templates and other settings that have no column. */
export const ClientConfig = z.strictObject({
  ...MailTexts.shape,
  /** templates for customers of one language; omitted parts fall back to those for all languages */
  templates: z
    .strictObject(
      Object.fromEntries(languages.map((language) => [language, MailTexts.optional()])) as Record<
        Language,
        z.ZodOptional<typeof MailTexts>
      >,
    )
    .optional(),
  logo_url: webAddress.optional(),
  logo_width: z.int().min(1).max(2_000).optional(),
  logo_height: z.int().min(1).max(2_000).optional(),
  accent_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: encodeReason("not_a_color") })
    .optional(),
  max_items: z.int().min(1).max(50).optional(),
  /** the portal hides the stars of reviews that aren't decided yet */
  hide_stars: z.boolean().optional(),
  reminder_after_days: z.int().min(1).max(365).nullable().optional(),
  time_zone: timeZone.optional(),
  /** ask for a seller review alone if an order has nothing else to ask about; needs `collect_seller_reviews` */
  seller_only: z.boolean().optional(),
  /** invitations go to the merchant's own sender, as the webhook event `invitation.handed` */
  own_sender: z.boolean().optional(),
  /** the widget has no badge with the shares of bad and of good reviews that were published */
  hide_honesty_badge: z.boolean().optional(),
  /** what authors get for a review, regardless of the rating; absent: nothing is declared. Shown publicly */
  incentive: filledText(200).optional(),
  /** hours of the day, in the client's time zone, between which emails are sent: [from, to) */
  send_hours: z
    .tuple([z.int().min(0).max(23), z.int().min(1).max(24)])
    .refine(([from, to]) => from < to, {
      error: encodeReason("not_a_range"),
    })
    .optional(),
  terms_url: webAddress.optional(),
  terms_text: localized.optional(),
  from_address: emailAddress.optional(),
  /** the store's own host name for what its pages load; its proxy passes requests on to this service */
  widget_host: hostName.optional(),
});

const CustomQuestion = z.object({
  id: filledText(64).regex(/^[\w.-]+$/, {
    error: encodeReason("invalid_characters"),
  }),
  name: filledText(64).optional(),
  type: z.enum(["score", "text", "select"]),
  multiple: z.boolean().default(false),
  required: z.boolean().default(false),
  categories: z.array(text(500)).default([]),
  options: z.array(z.object({ id: filledText(64), label: localized })).default([]),
  label: localized,
});
export type CustomQuestion = z.output<typeof CustomQuestion>;

const reserved = new Set(["title", "recommended"]);

export const CustomQuestions = z
  .array(CustomQuestion)
  .max(50)
  .superRefine((questions, context) => {
    const seen = new Set<string>();
    questions.forEach((question, index) => {
      for (const key of new Set([question.id, question.name ?? question.id])) {
        if (seen.has(key))
          context.addIssue({ code: "custom", path: [index, "id"], message: encodeReason("key_used_twice", { key }) });
        if (reserved.has(key))
          context.addIssue({ code: "custom", path: [index, "id"], message: encodeReason("reserved_key", { key }) });
        seen.add(key);
      }
      if (question.type === "select" && question.options.length === 0) {
        context.addIssue({ code: "custom", path: [index, "options"], message: encodeReason("no_entries") });
      }
    });
  });

const origin = z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value, {
  error: encodeReason("not_an_origin"),
});

export const ClientSettings = z.object({
  locale: z.string().regex(/^[a-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/, {
    error: encodeReason("not_a_locale"),
  }),
  display_name: filledText(255),
  email_name: filledText(255),
  contact_email: emailAddress.nullable(),
  contact_url: webAddress.nullable(),
  send_emails_after_days: days,
  send_emails_before_days: days,
  send_limit: z.int().min(0).max(1_000_000),
  contract_send_limit: z.int().min(0).max(1_000_000).nullable(),
  quarantine_period: days.nullable(),
  min_review_words: wordCount,
  min_review_words_promoter: wordCount,
  collect_seller_reviews: z.boolean(),
  collect_pros_cons: z.boolean(),
  collect_questions: z.boolean(),
  collect_recommended: z.boolean(),
  own_moderation: z.boolean(),
  auto_moderate: z.boolean(),
  require_verification: z.boolean(),
  must_agree_to_terms: z.boolean(),
  must_agree_to_terms_web: z.boolean(),
  external_review_locale: text(500),
  external_review_countries: text(500).nullable(),
  external_pro_reviews: z.boolean(),
  external_user_reviews: z.boolean(),
  expand_family: z.boolean(),
  config: ClientConfig,
  custom_questions: CustomQuestions,
  allowed_origins: z.array(origin).max(100),
  rules: RuleSettings,
});
export type ClientSettings = z.output<typeof ClientSettings>;

/**
 * What a client's own people can set: everything except what its contract defines. Unknown fields are rejected, not
 * ignored.
 */
export const OwnSettings = z.strictObject(ClientSettings.omit({ contract_send_limit: true }).partial().shape);
export type OwnSettings = z.output<typeof OwnSettings>;

/** Settings to change, and the version of the settings that the person saw. */
export const SettingsInput = z.object({
  version: z.int().meta({
    description: "Version of the settings you read. A different current version is a conflict.",
  }),
  settings: OwnSettings.meta({
    description: "Settings to change. Others keep their values.",
  }),
  blocks: BlocksByLanguage.optional().meta({
    description: "Email templates made of blocks. They replace the templates of these languages in `config`.",
  }),
});

/** The cooldown in days; null in the settings means the default. */
export const quarantineDays = ({ quarantine_period }: Pick<ClientSettings, "quarantine_period">): number =>
  quarantine_period ?? DEFAULT_QUARANTINE_DAYS;

/**
 * Validates settings against each other. `changed` names the fields being set: each issue is reported at one of them.
 */
export function settingIssues(settings: ClientSettings, changed: ReadonlySet<string>): Issue[] {
  const issues: Issue[] = [];
  const add = (fields: string[], reason: Reason, params?: Params) =>
    issues.push({
      field: fields.find((field) => changed.has(field)) ?? fields[0] ?? null,
      reason,
      params,
    });
  if (settings.contract_send_limit !== null && settings.send_limit > settings.contract_send_limit) {
    add(["send_limit", "contract_send_limit"], "exceeds_contract", { max: settings.contract_send_limit });
  }
  if (settings.send_emails_before_days < settings.send_emails_after_days) {
    add(["send_emails_before_days", "send_emails_after_days"], "no_sending_window");
  }
  const reminder = settings.config.reminder_after_days;
  if (reminder != null && reminder < quarantineDays(settings)) {
    add(["config", "quarantine_period"], "reminder_within_quarantine", {
      days: reminder,
      quarantine: quarantineDays(settings),
    });
  }
  const terms = settings.config.terms_url !== undefined || Object.keys(settings.config.terms_text ?? {}).length > 0;
  for (const box of ["must_agree_to_terms", "must_agree_to_terms_web"] as const) {
    if (settings[box] && !terms) add([box, "config"], "terms_missing");
  }
  return issues;
}

/** Validation issues of the settings by themselves, as the service reports them, before anything is sent. */
export const shapeIssues = (changes: OwnSettings): Issue[] => parse(OwnSettings, changes).issues ?? [];
