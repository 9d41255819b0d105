import { roleLabels, scopeLabels } from "@/components/accounts/labels";
import { importKindLabels, scheduleLabels } from "@/components/feeds/labels";
import type { AuditLine } from "@/lib/accounts/schema";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { AuditAction, AuditDetailName } from "@/lib/accounts/values";
import { formatDay, formatList, formatMoment } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** What was done, in words. Unknown actions are shown as they are. */
export const actions: Record<AuditAction, MessageKey> = {
  "client.created": "audit.storeCreated",
  "client.updated": "audit.settingsChanged",
  "key.created": "audit.keyCreated",
  "key.revoked": "audit.keyRevoked",
  "user.invited": "audit.personInvited",
  "user.changed": "audit.personChanged",
  "user.disabled": "audit.personDeactivated",
  "user.enabled": "audit.personReactivated",
  "user.link_mailed": "audit.passwordLinkSent",
  "user.address_changed": "audit.emailChanged",
  "password.set": "audit.passwordSet",
  "password.reset": "audit.passwordReset",
  "password.changed": "audit.passwordChanged",
  "second_factor.enabled": "audit.twoFactorOn",
  "second_factor.disabled": "audit.twoFactorOff",
  "feed.created": "audit.feedAdded",
  "feed.updated": "audit.feedChanged",
  "feed.deleted": "audit.feedRemoved",
  "feed.uploaded": "audit.fileImported",
  "integration.created": "audit.integrationConnected",
  "integration.updated": "audit.integrationChanged",
  "integration.paused": "audit.integrationPaused",
  "integration.resumed": "audit.integrationResumed",
  "integration.removed": "audit.integrationDisconnected",
  "integration.retried": "audit.deliveriesRetried",
  "integration.deletions_confirmed": "audit.deletionsConfirmed",
  "webhook.created": "audit.webhookCreated",
  "webhook.updated": "audit.webhookChanged",
  "webhook.rotated": "audit.webhookSecretRotated",
  "webhook.paused": "audit.webhookPaused",
  "webhook.resumed": "audit.webhookResumed",
  "webhook.removed": "audit.webhookRemoved",
  "webhook.replayed": "audit.eventsResent",
  "order.tried": "audit.testOrderCreated",
  "order.held": "audit.orderItemsPaused",
  "order.excluded": "audit.orderItemsExcluded",
  "order.included": "audit.orderItemsIncluded",
  "order.released": "audit.orderItemsResumed",
  "order.sent": "audit.orderEmailSent",
  "personal_data.deleted": "audit.personalDataDeleted",
  "personal_data.copied": "audit.personalDataCopied",
  "reviews.exported": "audit.reviewsExported",
  "reviews.uploaded": "audit.reviewsUploaded",
  "reviews.imported": "audit.reviewsImported",
  "reviews.import_undone": "audit.reviewImportUndone",
  "test_clock.advanced": "audit.testClockAdvanced",
  "test_store.filled": "audit.testStoreFilled",
  "test_store.link_replaced": "audit.testStoreLinkReplaced",
};

export const actionLabel = (action: string, t: Translate): string =>
  textFor(actions, action, t) ?? action.replace(/[._]/g, " ");

/** The subjects that can be searched for, by the first word of an action. */
const subjects: Record<string, MessageKey> = {
  client: "navigation.settings",
  key: "navigation.apiKeys",
  user: "navigation.people",
  password: "audit.passwords",
  second_factor: "audit.twoFactor",
  feed: "navigation.feeds",
  integration: "audit.integrations",
  webhook: "common.webhooks",
  order: "common.orders",
  personal_data: "common.personalData",
  reviews: "common.reviews",
  test_clock: "audit.testClock",
  test_store: "accounts.testStore",
};

export const subjectLabel = (subject: string, t: Translate): string => textFor(subjects, subject, t) ?? subject;

const MAX_LENGTH = 140;

/** Labels of details; a setting has the label of its page. */
export const details: Record<AuditDetailName | keyof ClientSettings, MessageKey> = {
  name: "common.name",
  scopes: "apiKeys.permissions",
  username: "common.username",
  role: "access.role",
  roles: "audit.rolesByStore",
  was: "audit.previously",
  all_clients: "audit.allStores",
  clients: "navigation.stores",
  other_clients: "audit.otherStores",
  url: "common.url",
  schedule: "myAccount.frequency",
  enabled: "feeds.fetchOnSchedule",
  format: "feeds.format",
  kind: "queue.type",
  filename: "common.file",
  confirm_deletions: "audit.deletionsAllowed",
  secrets: "audit.newCredentials",
  retried: "audit.retried",
  replayed: "audit.resent",
  items: "common.items",
  until: "orders.until",
  removed: "audit.deleted",
  requested_at: "audit.requested",
  held: "audit.inCopy",
  days: "audit.days",
  locale: "settingNames.locale",
  display_name: "common.storeName",
  email_name: "settingNames.senderName",
  contact_email: "settingNames.supportEmail",
  contact_url: "settingNames.helpPage",
  send_emails_after_days: "settingNames.sendAfter",
  send_emails_before_days: "settingNames.stopAfter",
  send_limit: "settingNames.dailyLimit",
  contract_send_limit: "accounts.contractLimit",
  quarantine_period: "settingNames.cooldown",
  min_review_words: "settingNames.minWords",
  min_review_words_promoter: "settingNames.minWordsPromoter",
  collect_seller_reviews: "settingNames.sellerReviews",
  collect_pros_cons: "settingNames.prosCons",
  collect_questions: "settingNames.productQuestions",
  collect_recommended: "settingNames.recommended",
  own_moderation: "settingNames.ownModeration",
  auto_moderate: "settingNames.autoModeration",
  require_verification: "settingNames.requireVerification",
  must_agree_to_terms: "settingNames.termsVerified",
  must_agree_to_terms_web: "settingNames.termsOthers",
  external_review_locale: "settingNames.onlyLocales",
  external_review_countries: "settingNames.onlyCountries",
  external_pro_reviews: "settingNames.expertReviews",
  external_user_reviews: "settingNames.customerReviews",
  expand_family: "settingNames.shareVariants",
  config: "audit.otherSettings",
  custom_questions: "navigation.customQuestions",
  allowed_origins: "settingNames.allowedSites",
  rules: "settingNames.rules",
};

/** Labels of details about fields of `config`. */
export const configDetails: Record<keyof ClientSettings["config"], MessageKey> = {
  subject: "emailPreview.subject",
  html_template: "emailPreview.html",
  text_template: "emailPreview.plainText",
  templates: "navigation.templates",
  logo_url: "settingNames.logoUrl",
  logo_width: "settingNames.logoWidth",
  logo_height: "settingNames.logoHeight",
  accent_color: "settingNames.buttonColor",
  max_items: "settingNames.maxProducts",
  reminder_after_days: "settingNames.reminder",
  hide_stars: "settingNames.hideStars",
  time_zone: "settingNames.timeZone",
  seller_only: "settingNames.sellerOnly",
  own_sender: "settingNames.externalSender",
  hide_honesty_badge: "settingNames.hideBadge",
  incentive: "settingNames.incentive",
  send_hours: "settingNames.sendHours",
  terms_url: "settingNames.termsUrl",
  terms_text: "audit.termsText",
  from_address: "settingNames.fromAddress",
  widget_host: "settingNames.widgetHost",
};

/** Kinds of personal data, by the name under which they are counted. */
export const dataKindLabels: Record<string, MessageKey> = {
  customers: "products.customers",
  orders: "common.orders",
  reviews: "common.reviews",
  seller_reviews: "common.sellerReviews",
  questions: "common.questions",
  notes: "queue.notes",
  images: "queue.photos",
  invitations: "navigation.invitations",
  mails: "navigation.emails",
  copies: "audit.copies",
};

/** The time zone of times, and names of clients by id. */
type Places = { timeZone: string; storeName: (id: string) => string };

/** The details of an entry as one line: `Role: Admin; Before: Viewer`. Omits what the entry shows elsewhere. */
export function detailsText(
  { detail, subject_name }: Pick<AuditLine, "detail" | "subject_name">,
  places: Places,
  t: Translate,
): string {
  const words = Object.entries(detail)
    .filter(
      ([name, value]) =>
        value !== subject_name && !(Array.isArray(value) && value.length === 0 && isShownElsewhere(name, detail)),
    )
    .flatMap(([name, value]) =>
      name === "config" && isObject(value)
        ? Object.entries(value).map((member) => detailText(configDetails, member, places, t))
        : [detailText(details, [name, value], places, t)],
    )
    .join("; ");
  return [...words].length > MAX_LENGTH ? `${[...words].slice(0, MAX_LENGTH).join("")} …` : words;
}

/**
 * Whether an empty list of this name says nothing: no credentials were given, or only clients of others are concerned.
 */
const isShownElsewhere = (name: string, detail: object): boolean =>
  name === "secrets" || (name === "clients" && "other_clients" in detail);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * A name with its value; only the name if the value is too long for a line, such as a template or a list of questions.
 */
function detailText(
  names: Readonly<Record<string, MessageKey>>,
  [name, value]: [string, unknown],
  places: Places,
  t: Translate,
): string {
  if (name === "until" && value === null) return t("orders.pausedIndefinitely");
  const label = textFor(names, name, t) ?? name.replaceAll("_", " ");
  const formatted = formatValue(name, value, places, t);
  return formatted === null ? label : t("common.nameAndValue", { name: label, value: formatted });
}

function formatValue(name: string, value: unknown, places: Places, t: Translate): string | null {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "–";
  if (typeof value === "boolean") return t(value ? "common.yes" : "common.no");
  if (typeof value === "number") return value.toLocaleString(t.language);
  if (typeof value === "string") return longTexts.includes(name) ? null : formatText(name, value, places, t);
  if (Array.isArray(value)) {
    // Only the number: the names of credentials aren't shown.
    if (name === "secrets") return value.length.toLocaleString(t.language);
    const texts = value.filter((each) => typeof each === "string");
    return texts.length === value.length
      ? formatList(
          texts.map((each) => formatText(name, each, places, t)),
          t.language,
        )
      : null;
  }
  if (name !== "roles" && name !== "removed" && name !== "held") return null;
  const members = Object.entries(value as Record<string, unknown>).map(([key, each]) =>
    t("common.nameAndValue", {
      name: name === "roles" ? places.storeName(key) : (textFor(dataKindLabels, key, t) ?? key),
      value: typeof each === "string" ? formatText("role", each, places, t) : Number(each).toLocaleString(t.language),
    }),
  );
  return members.length > 0 ? formatList(members, t.language) : "–";
}

/** Texts too long for a line. */
const longTexts = ["html_template", "text_template", "terms_text"];

function formatText(name: string, text: string, places: Places, t: Translate): string {
  if (name === "role" || name === "was") return nameIn(roleLabels, text, t);
  if (name === "clients") return places.storeName(text);
  if (name === "scopes") return nameIn(scopeLabels, text, t);
  if (name === "kind") return textFor(importKindLabels, text, t) ?? text;
  if (name === "schedule") return textFor(scheduleLabels, text, t) ?? text;
  if (name === "until" && /^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text, t.language);
  if (name === "requested_at" && !Number.isNaN(Date.parse(text)))
    return formatMoment(text, places.timeZone, t.language);
  return text;
}

function nameIn(words: Readonly<Record<string, { name: MessageKey }>>, key: string, t: Translate): string {
  const known = Object.hasOwn(words, key) ? words[key] : undefined;
  return known ? t(known.name) : key;
}
