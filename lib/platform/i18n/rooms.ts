import { inLanguage } from "@/lib/platform/i18n/in-language";
import type { Language } from "@/lib/platform/i18n/languages";
import { access, accounts, audit, keys, own, people } from "@/lib/platform/i18n/rooms/accounts";
import { analytics } from "@/lib/platform/i18n/rooms/analytics";
import { chrome } from "@/lib/platform/i18n/rooms/chrome";
import { common } from "@/lib/platform/i18n/rooms/common";
import { door } from "@/lib/platform/i18n/rooms/door";
import { failures, feeds, importReports } from "@/lib/platform/i18n/rooms/feeds";
import { home } from "@/lib/platform/i18n/rooms/home";
import { integrationForms } from "@/lib/platform/i18n/rooms/integration-forms";
import { integrations, sent, webhooks } from "@/lib/platform/i18n/rooms/integrations";
import { invitations } from "@/lib/platform/i18n/rooms/invitations";
import { judging } from "@/lib/platform/i18n/rooms/judging";
import { mail } from "@/lib/platform/i18n/rooms/mail";
import { moderationRules } from "@/lib/platform/i18n/rooms/moderation-rules";
import { operation } from "@/lib/platform/i18n/rooms/operation";
import { orders } from "@/lib/platform/i18n/rooms/orders";
import { ownQuestions } from "@/lib/platform/i18n/rooms/own-questions";
import { privacy } from "@/lib/platform/i18n/rooms/privacy";
import { products } from "@/lib/platform/i18n/rooms/products";
import { queue } from "@/lib/platform/i18n/rooms/queue";
import { settingNames } from "@/lib/platform/i18n/rooms/setting-names";
import { settings } from "@/lib/platform/i18n/rooms/settings";
import { templates } from "@/lib/platform/i18n/rooms/templates";
import { widget } from "@/lib/platform/i18n/rooms/widget";
import type { Dictionary } from "@/lib/platform/i18n/rules";

/** A text in German, French, Spanish and Swedish; its English stands before it. */
export type Said = readonly [de: string, fr: string, es: string, sv: string];
export type Room = Readonly<Record<string, Said>>;

/** What the portal says, by the part of it that says it. `common` is said in several. Only the server reads this. */
export const rooms = {
  common,
  chrome,
  door,
  home,
  queue,
  judging,
  orders,
  products,
  operation,
  mail,
  privacy,
  analytics,
  access,
  people,
  keys,
  own,
  accounts,
  audit,
  feeds,
  importReports,
  failures,
  sent,
  integrations,
  webhooks,
  integrationForms,
  invitations,
  settings,
  settingNames,
  ownQuestions,
  moderationRules,
  widget,
  templates,
} satisfies Record<string, Room>;
export type RoomName = keyof typeof rooms;

const made = new Map<string, Dictionary>();

/** What some rooms say in a language, or all of them. English is what stands in the pages. */
export function dictionaryOf(language: Language, names = Object.keys(rooms) as RoomName[]): Dictionary {
  if (language === "en") return {};
  const key = `${language} ${names.join()}`;
  const known = made.get(key);
  if (known) return known;
  const dictionary = inLanguage(
    names.map((name) => rooms[name]),
    language,
  );
  made.set(key, dictionary);
  return dictionary;
}
