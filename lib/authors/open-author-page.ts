import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { optOutToken } from "@/lib/invitations/links";
import { readOptOut } from "@/lib/invitations/opt-out";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { isOnePerson } from "@/lib/privacy/is-one-person";
import { readAuthorPageToken, selectHolder } from "@/lib/reviews/author-page/link";
import { type AuthorItem, selectAuthorItems } from "./sql";

/** Items on the page. */
const MAX_ITEMS = 100;

/** How a page is opened: its `lang` parameter, and the request's headers. */
export type Reader = { lang: string | undefined; headers: Headers };

/** The languages that a reader prefers, first. */
export const wishesOf = ({ headers }: Reader): string[] => acceptedLanguages(headers.get("accept-language"));

/** An open page. `email`: the normalized address. `holder`: its keyed hash. */
export type OpenAuthorPage = {
  client: ClientRow;
  language: Language;
  token: string;
  email: string;
  holder: string;
  /** newest first */
  items: AuthorItem[];
  hasMore: boolean;
  /** whether the person unsubscribed; `complained` can't be undone here */
  stopped: boolean;
  complained: boolean;
  /** whether the person may download and erase everything: nothing of others would be in it */
  isAlone: boolean;
};

/** `expired`: a new link can be emailed to `email`. `unknown`: the token is invalid, or its person was erased. */
export type AuthorPage =
  | ({ state: "open" } & OpenAuthorPage)
  | ({ state: "expired" } & Omit<OpenAuthorPage, "items" | "hasMore" | "stopped" | "complained" | "isAlone">)
  | { state: "unknown"; client: ClientRow | null; language: Language };

/** Resolves a link to an author's page. Read-only, since email scanners open links too. */
export async function openAuthorPage(token: string, reader: Reader): Promise<AuthorPage> {
  const about = readAuthorPageToken(token);
  const client = about && (await getClient(about.clientId));
  const email = client && (await selectHolder(pool(), about));
  const wishes = wishesOf(reader);
  if (!client || !email)
    return { state: "unknown", client, language: languageOf(reader.lang, ...wishes, client?.locale) };
  const shared = { client, token, email, holder: about.holder };
  if (about.expiresAt <= now())
    return { state: "expired", ...shared, language: languageOf(reader.lang, ...wishes, client.locale) };
  const [found, emails, isAlone] = await Promise.all([
    selectAuthorItems(pool(), client.id, email, MAX_ITEMS + 1),
    readOptOut(optOutToken(client.id, about.holder), null),
    isOnePerson(client.id, email),
  ]);
  return {
    state: "open",
    ...shared,
    language: languageOf(reader.lang, found[0]?.lang, ...wishes, client.locale),
    items: found.slice(0, MAX_ITEMS),
    hasMore: found.length > MAX_ITEMS,
    stopped: emails?.stopped === true,
    complained: emails?.complained === true,
    isAlone,
  };
}
