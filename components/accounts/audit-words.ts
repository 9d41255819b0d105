import { roleWords, scopeWords } from "@/components/accounts/words";
import { kindWords, scheduleWords } from "@/components/feeds/words";
import { dayWords, momentWords } from "@/components/ui/time";
import type { AuditLine } from "@/lib/accounts/schema";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { AuditAction, AuditDetailName } from "@/lib/accounts/values";
import type { Words } from "@/lib/platform/i18n/rules";

/** What was done, in words; of what is not known any more, the action itself. */
export const actions: Record<AuditAction, string> = {
  "client.created": "Client made",
  "client.updated": "Settings changed",
  "key.created": "Key made",
  "key.revoked": "Key revoked",
  "user.invited": "Person invited",
  "user.changed": "Person changed",
  "user.disabled": "Person shut out",
  "user.enabled": "Person let in again",
  "user.link_mailed": "Link for a password mailed",
  "user.address_changed": "Own address changed",
  "password.set": "First password set",
  "password.reset": "Password set anew by a mailed link",
  "password.changed": "Own password changed",
  "second_factor.enabled": "Second factor switched on",
  "second_factor.disabled": "Second factor switched off",
  "feed.created": "Feed added",
  "feed.updated": "Feed changed",
  "feed.deleted": "Feed removed",
  "feed.uploaded": "File imported",
  "integration.created": "System connected",
  "integration.updated": "Connection changed",
  "integration.paused": "Connection paused",
  "integration.resumed": "Connection resumed",
  "integration.removed": "System disconnected",
  "integration.retried": "Failed deliveries tried again",
  "integration.deletions_confirmed": "Many products let go from the catalogue",
  "webhook.created": "Webhook added",
  "webhook.updated": "Webhook changed",
  "webhook.rotated": "Secret of a webhook made anew",
  "webhook.paused": "Webhook paused",
  "webhook.resumed": "Webhook resumed",
  "webhook.removed": "Webhook removed",
  "webhook.replayed": "Events told again",
  "order.tried": "Test order made",
  "order.held": "Items of an order held back",
  "order.released": "Items of an order let go",
  "order.sent": "Mail of an order sent by hand",
  "personal_data.deleted": "Person removed",
  "personal_data.copied": "Copy of personal data handed out",
};

export const actionWords = (action: string, t: Words): string =>
  t(wordOf(actions, action) ?? action.replace(/[._]/g, " "));

const wordOf = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;

/** What may be looked for, by the first word of an action. */
const subjects: Record<string, string> = {
  client: "Settings",
  key: "API keys",
  user: "People",
  password: "Passwords",
  second_factor: "Second factors",
  feed: "Feeds",
  integration: "Connected systems",
  webhook: "Webhooks",
  order: "Orders",
  personal_data: "Personal data",
};

export const subjectWords = (subject: string, t: Words): string => t(subjects[subject] ?? subject);

const LONGEST = 140;

/** What particulars are called; a setting as its page calls it. */
export const details: Record<AuditDetailName | keyof ClientSettings, string> = {
  name: "Name",
  scopes: "Permissions",
  username: "User name",
  role: "Role",
  roles: "At single clients",
  was: "Before§audit",
  all_clients: "All clients§audit",
  clients: "Clients",
  other_clients: "Other clients",
  url: "Address",
  schedule: "How often",
  enabled: "Fetched by itself",
  format: "Format",
  kind: "Kind",
  filename: "File",
  confirm_deletions: "Many may leave",
  secrets: "New credentials",
  retried: "Tried again§audit",
  replayed: "Told again§audit",
  items: "Items",
  until: "Until",
  removed: "Deleted§audit",
  requested_at: "Asked for§audit",
  held: "In the copy",
  locale: "Language and country",
  display_name: "Name of the shop",
  email_name: "From",
  contact_email: "E-mail address of customer support",
  contact_url: "Help page",
  send_emails_after_days: "Ask after",
  send_emails_before_days: "Ask until",
  send_limit: "Mails a day, at most",
  contract_send_limit: "The contract’s limit",
  quarantine_period: "Quarantine",
  min_review_words: "Words a review must have",
  min_review_words_promoter: "For verified buyers who give 4 or 5 stars",
  collect_seller_reviews: "Reviews of the shop",
  collect_pros_cons: "Pros and cons",
  collect_questions: "Questions about products",
  collect_recommended: "Would you recommend it?",
  own_moderation: "We moderate ourselves",
  auto_moderate: "Rules decide what they can",
  require_verification: "Authors confirm their e-mail address",
  must_agree_to_terms: "Verified buyers must agree",
  must_agree_to_terms_web: "Everybody else must agree",
  external_review_locale: "Only those in these locales",
  external_review_countries: "Only those from these countries",
  external_pro_reviews: "Expert reviews from other sites",
  external_user_reviews: "Customer reviews from other sites",
  expand_family: "Variants share their reviews",
  config: "Other settings",
  custom_questions: "Own questions",
  allowed_origins: "Pages that may send reviews",
  rules: "Rules",
};

/** The same of the members of `config`. */
export const configDetails: Record<keyof ClientSettings["config"], string> = {
  subject: "Subject",
  html_template: "HTML",
  text_template: "Plain text",
  templates: "Templates",
  logo_url: "Address of your logo",
  logo_width: "Its width",
  logo_height: "Its height",
  accent_color: "Colour of buttons",
  max_items: "Products in one mail, at most",
  reminder_after_days: "One reminder to those who did not answer",
  time_zone: "Time zone",
  seller_only: "Ask about the shop alone",
  own_sender: "Your own sender mails them",
  send_hours: "Mails leave between",
  terms_url: "Address of your terms",
  terms_text: "Words of the terms",
  from_address: "From the address",
};

/** What there is of a person, by what it is counted as. */
export const holdings: Record<string, string> = {
  customers: "Customers",
  orders: "Orders",
  reviews: "Reviews",
  seller_reviews: "Seller reviews",
  questions: "Questions",
  images: "Photos",
  invitations: "Invitations",
  mails: "Mails",
  copies: "Copies§audit",
};

/** The particulars of a line in one row of text: `Role: Admin; Before: Viewer`. What stands beside it is not said again. */
export function detailWords(
  { detail, subject_name }: Pick<AuditLine, "detail" | "subject_name">,
  timeZone: string,
  t: Words,
): string {
  const words = Object.entries(detail)
    .filter(
      ([name, value]) =>
        value !== subject_name && !(Array.isArray(value) && value.length === 0 && saidElsewhere(name, detail)),
    )
    .flatMap(([name, value]) =>
      name === "config" && isObject(value)
        ? Object.entries(value).map((member) => told(configDetails, member, timeZone, t))
        : [told(details, [name, value], timeZone, t)],
    )
    .join("; ");
  return [...words].length > LONGEST ? `${[...words].slice(0, LONGEST).join("")} …` : words;
}

/** What an empty list of need not be told: no credential was given, or the clients are only those of others. */
const saidElsewhere = (name: string, detail: object): boolean =>
  name === "secrets" || (name === "clients" && "other_clients" in detail);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A name with its value; alone where the value is more than a line can tell, as a template or a list of questions. */
function told(
  names: Readonly<Record<string, string>>,
  [name, value]: [string, unknown],
  timeZone: string,
  t: Words,
): string {
  if (name === "until" && value === null) return t("Held back for good");
  const called = t(wordOf(names, name) ?? name.replaceAll("_", " "));
  const said = valueWords(name, value, timeZone, t);
  return said === null ? called : t("{name}: {value}§audit", { name: called, value: said });
}

function valueWords(name: string, value: unknown, timeZone: string, t: Words): string | null {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "–";
  if (typeof value === "boolean") return t(value ? "Yes" : "No");
  if (typeof value === "number") return value.toLocaleString(t.locale);
  if (typeof value === "string") return whole.includes(name) ? null : textWords(name, value, timeZone, t);
  const list = new Intl.ListFormat(t.locale);
  if (Array.isArray(value)) {
    // Which ones is for those who entered them.
    if (name === "secrets") return value.length.toLocaleString(t.locale);
    const texts = value.filter((each) => typeof each === "string");
    return texts.length === value.length ? list.format(texts.map((each) => textWords(name, each, timeZone, t))) : null;
  }
  if (name !== "roles" && name !== "removed" && name !== "held") return null;
  const members = Object.entries(value as Record<string, unknown>).map(([key, each]) =>
    t("{name}: {value}§audit", {
      name: name === "roles" ? key : t(wordOf(holdings, key) ?? key),
      value: typeof each === "string" ? textWords("role", each, timeZone, t) : Number(each).toLocaleString(t.locale),
    }),
  );
  return members.length > 0 ? list.format(members) : "–";
}

/** Texts that are more than a line can tell. */
const whole = ["html_template", "text_template", "terms_text"];

function textWords(name: string, text: string, timeZone: string, t: Words): string {
  if (name === "role" || name === "was") return t(nameIn(roleWords, text));
  if (name === "scopes") return t(nameIn(scopeWords, text));
  if (name === "kind") return t(wordOf(kindWords, text) ?? text);
  if (name === "schedule") return t(wordOf(scheduleWords, text) ?? text);
  if (name === "until" && /^\d{4}-\d\d-\d\d$/.test(text)) return dayWords(text, t.locale);
  if (name === "requested_at" && !Number.isNaN(Date.parse(text))) return momentWords(text, timeZone, t.locale);
  return text;
}

const nameIn = (words: Readonly<Record<string, { name: string }>>, key: string): string =>
  (Object.hasOwn(words, key) ? words[key]?.name : undefined) ?? key;
