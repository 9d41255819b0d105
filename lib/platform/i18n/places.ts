import { inLanguage } from "@/lib/platform/i18n/in-language";
import { type Language, languages } from "@/lib/platform/i18n/languages";
import { placeNames } from "@/lib/platform/i18n/rooms/place-names";
import { type Words, wordsOf } from "@/lib/platform/i18n/rules";

// Where in a request something is wrong, as people call it: `order.items[0].id` is for programs.

/** What people call the members of requests. Several of another form's are alike to them. */
const names: Record<string, string> = {
  accent_color: "Colour§place",
  access_token: "Token§place",
  account_id: "Account§place",
  allowed_origins: "Addresses of pages§place",
  api_key: "Key§place",
  articles: "Articles§place",
  author: "Author§place",
  base_url: "Address§place",
  brand: "Brand§place",
  brand_attributes: "Attributes§place",
  categories: "Categories§place",
  category: "Category§place",
  client: "Client§place",
  client_id: "Client§place",
  clients: "Clients§place",
  code: "Code§place",
  columns: "Columns§place",
  consumer_key: "Key§place",
  consumer_secret: "Secret§place",
  contact_email: "E-mail address§place",
  contact_type: "Kind§place",
  contact_url: "Address§place",
  contacts: "Contacts§place",
  contract_send_limit: "Mails a day§place",
  current: "Password§place",
  custom_questions: "Questions§place",
  customer: "Customer§place",
  customer_id: "Customer§place",
  delivery_date: "Delivery date§place",
  display_name: "Name§place",
  email: "E-mail address§place",
  email_name: "Sender§place",
  events: "Events§place",
  every: "How often§place",
  exclude_skus: "SKU§place",
  exclude_types: "Kind§place",
  external_id: "Id§place",
  external_review_countries: "Countries§place",
  external_review_locale: "Language§place",
  extract: "Text§place",
  fallback_days: "Days§place",
  family_id: "Family§place",
  file: "File§place",
  filename: "File§place",
  filter: "Filter§place",
  format: "Format§place",
  from: "From§place",
  from_address: "Sender§place",
  gtin_attributes: "Attributes§place",
  hour: "Hour§place",
  html_template: "Template§place",
  id: "Id§place",
  image_url: "Picture§place",
  items: "Items§place",
  kind: "Kind§place",
  label: "Text§place",
  lang: "Language§place",
  language: "Language§place",
  languages: "Languages§place",
  locale: "Language§place",
  logo_height: "Logo§place",
  logo_url: "Logo§place",
  logo_width: "Logo§place",
  mapping: "Fields§place",
  max_items: "Items§place",
  min_review_words: "Words§place",
  min_review_words_promoter: "Words§place",
  minutes: "Minutes§place",
  mpn_attributes: "Attributes§place",
  name: "Name§place",
  online_days: "Days§place",
  options: "Options§place",
  order_id: "Order§place",
  order_number: "Order§place",
  orders_url: "Address§place",
  page_size: "Page size§place",
  parts: "Parts§place",
  password: "Password§place",
  phone: "Telephone§place",
  photo: "Photo§place",
  product: "Product§place",
  profile: "Profile§place",
  properties: "Properties§place",
  quarantine_period: "Days§place",
  question: "Question§place",
  reason: "Reason§place",
  receipts: "Receipts§place",
  reject_reason: "Reason§place",
  reminder_after_days: "Reminder§place",
  requests_per_second: "Requests a second§place",
  role: "Role§place",
  roles: "Role§place",
  rules: "Rules§place",
  schedule: "How often§place",
  schema: "Schema§place",
  schema_id: "Schema§place",
  scopes: "Permissions§place",
  send_emails_after_days: "Days§place",
  send_emails_before_days: "Days§place",
  send_hours: "Hours§place",
  send_limit: "Mails a day§place",
  similarity: "Similarity§place",
  skip_states: "State§place",
  sku: "SKU§place",
  source: "Source§place",
  status: "State§place",
  store_days: "Days§place",
  store_ids: "Stores§place",
  store_name: "Store§place",
  stores: "Stores§place",
  subject: "Subject§place",
  tables: "Tables§place",
  templates: "Templates§place",
  terms_text: "Terms§place",
  terms_url: "Terms§place",
  text: "Text§place",
  text_template: "Template§place",
  time_zone: "Time zone§place",
  title: "Title§place",
  token: "Token§place",
  token_secret: "Secret§place",
  transit_days: "Days§place",
  type: "Kind§place",
  until: "Until§place",
  url: "Address§place",
  username: "User name§place",
  words: "Words§place",
};

/** Members that hold others and mean nothing to people. */
const wraps = new Set(["body", "config", "order", "secrets", "settings"]);

const spoken = new Map<Language, Words>();
function wordsIn(language: Language): Words {
  const known = spoken.get(language) ?? wordsOf(language, inLanguage([placeNames], language));
  spoken.set(language, known);
  return known;
}

const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean);

/** What a place in a request is called: `items[0].delivery_date` is “Items (1), Delivery date”. */
export function placeIn(language: Language, field: string): string {
  const t = wordsIn(language);
  const steps = stepsOf(field);
  const told: string[] = [];
  for (const [at, step] of steps.entries()) {
    const last = told.at(-1);
    if (last !== undefined && /^\d{1,9}$/.test(step)) told[told.length - 1] = `${last} (${Number(step) + 1})`;
    else if (at === steps.length - 1 || !wraps.has(step))
      told.push(Object.hasOwn(names, step) ? t(names[step] as string) : spelled(step, language));
  }
  return told.join(", ");
}

/** A name that nobody has put into words. What there is in several languages is called by these. */
function spelled(name: string, language: Language): string {
  const isLanguage = (languages as readonly string[]).includes(name);
  const told = isLanguage ? new Intl.DisplayNames([language], { type: "language" }).of(name) : undefined;
  const plain = told ?? name.replaceAll("_", " ");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** What is wrong, with what is wrong before it. */
export const issueAt = (language: Language, field: string, said: string): string =>
  wordsIn(language)("{place}: {said}§fault", {
    place: placeIn(language, field),
    said,
  });
