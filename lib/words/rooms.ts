import type { Language } from "@/lib/languages/rules";
import { inLanguage } from "@/lib/words/in-language";
import type { Dictionary } from "@/lib/words/rules";
import { access, accounts, audit, keys, own, people } from "./rooms/accounts";
import { analytics } from "./rooms/analytics";
import { chrome } from "./rooms/chrome";
import { common } from "./rooms/common";
import { door } from "./rooms/door";
import { failures, feeds, importReports } from "./rooms/feeds";
import { home } from "./rooms/home";
import { integrationForms } from "./rooms/integration-forms";
import { integrations, sent, webhooks } from "./rooms/integrations";
import { invitations } from "./rooms/invitations";
import { judging } from "./rooms/judging";
import { mail } from "./rooms/mail";
import { moderationRules } from "./rooms/moderation-rules";
import { operation } from "./rooms/operation";
import { orders } from "./rooms/orders";
import { ownQuestions } from "./rooms/own-questions";
import { privacy } from "./rooms/privacy";
import { products } from "./rooms/products";
import { queue } from "./rooms/queue";
import { settingNames } from "./rooms/setting-names";
import { settings } from "./rooms/settings";
import { templates } from "./rooms/templates";
import { widget } from "./rooms/widget";

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
