import { LRUCache } from "lru-cache";
import { type ClientRow, getClient, isTestStore } from "@/lib/accounts/stores/get-client";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { unknownClient } from "@/lib/display/show";
import { compat, form, script, styles, version } from "@/lib/display/widget/generated/assets";
import type { WidgetSettings } from "@/lib/display/widget/settings";
import { brandOf } from "@/lib/forms/brand";
import { inLanguage } from "@/lib/forms/form-values";
import { env } from "@/lib/platform/env";
import { type Asset, assetReply, IMMUTABLE_CACHE, SHORT_CACHE, toAsset } from "@/lib/platform/http/asset";
import { honestyBadgeUrl, honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Reply } from "@/lib/platform/http/reply";
import { internationalEnglish } from "@/lib/platform/i18n/format";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { widgetMessages } from "@/lib/platform/i18n/public-texts";
import { perProcess } from "@/lib/platform/process";

const assetCache = () => perProcess("widget-assets", () => new LRUCache<string, Asset>({ max: 500 }));

/** An asset from the cache, as long as its source is the same. */
function cachedAsset(key: string, make: () => string): Asset {
  const known = assetCache().get(key);
  if (known) return known;
  const asset = toAsset(make());
  assetCache().set(key, asset);
  return asset;
}

/** The client; throws `not_found`. */
export async function clientOf(id: string): Promise<ClientRow> {
  const client = await getClient(id);
  if (!client) throw unknownClient();
  return client;
}

/** The client's script: its settings and messages, followed by the code that all clients share. Throws `not_found`. */
export async function showScript(
  clientId: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> {
  const client = await clientOf(clientId);
  const language = languageOf(lang, client.locale);
  const asset = cachedAsset(
    `${version}|script|${client.id}|${client.version}|${language}`,
    () => `(function(CANDOR){${script}})(${JSON.stringify(settingsOf(client, language))});`,
  );
  return assetReply(asset, headers, SHORT_CACHE);
}

const parts = { form, compat };

/** A module that the script loads when needed. Throws `not_found`. */
export async function showPart(
  name: keyof typeof parts,
  clientId: string,
  requestedVersion: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> {
  await clientOf(clientId);
  return assetReply(
    cachedAsset(`${version}|${name}`, () => parts[name]),
    headers,
    requestedVersion === version ? IMMUTABLE_CACHE : SHORT_CACHE,
  );
}

/** The styles for HTML that stores put into their pages, with the client's colors. Throws `not_found`. */
export async function showStyles(clientId: string, headers: Headers): Promise<Reply<undefined>> {
  const client = await clientOf(clientId);
  const asset = cachedAsset(`${version}|styles|${client.id}|${client.version}`, () => styles + colorsOf(client));
  return assetReply(asset, headers, SHORT_CACHE);
}

/** What the widget's views need to know about a client. */
export function settingsOf(client: ClientRow, language: Language): WidgetSettings {
  const questions = client.custom_questions as CustomQuestion[];
  const translate = (label: Record<string, string>, otherwise: string) =>
    inLanguage(label, language, client.locale) ?? otherwise;
  return {
    client: client.id,
    origin: env().PUBLIC_URL,
    shop: client.display_name,
    honesty: honestyPageUrl(client.id, language),
    badge:
      isTestStore(client) || client.config.hide_honesty_badge === true ? null : honestyBadgeUrl(client.id, language),
    version,
    lang: language,
    locale: localeOf(client.locale, language),
    messages: widgetMessages(language),
    questions: client.collect_questions,
    reviewQuestions: Object.fromEntries(
      questions.map(({ id, name, label, options }) => [
        name ?? id,
        {
          label: translate(label, id),
          options: Object.fromEntries(options.map((option) => [option.id, translate(option.label, option.id)])),
        },
      ]),
    ),
    css: colorsOf(client),
  };
}

const colorsOf = (client: ClientRow): string => {
  const { accent, mark } = brandOf(client);
  // The script of all stores has no place for a mark: its styles show that of a test store.
  const marked = mark === null ? "" : `.candor::before{content:${JSON.stringify(mark)};font-weight:600}`;
  return (accent ? `.candor{--shop:${accent.color};--on-shop:${accent.ink}}` : "") + marked;
};

/**
 * The locale for numbers and dates: the client's if it has this language, else the language's default. English is
 * international whatever its region, as in the portal and emails.
 */
function localeOf(locale: string, language: Language): string {
  const tag = locale.replaceAll("_", "-");
  const isUsable =
    language !== "en" &&
    languageOf(locale) === language &&
    Intl.DateTimeFormat.supportedLocalesOf(wellFormed(tag)).length > 0;
  return isUsable ? tag : internationalEnglish(language);
}

function wellFormed(tag: string): string[] {
  try {
    return Intl.getCanonicalLocales(tag);
  } catch {
    return []; // Intl throws RangeError for an invalid tag
  }
}
