import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { optOutToken } from "@/lib/invitations/links";
import { readOptOut } from "@/lib/invitations/opt-out";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { isOnePerson } from "@/lib/privacy/is-one-person";
import { readAuthorPageToken, selectHolder } from "@/lib/reviews/author-page/link";
import { positionText, readPosition } from "@/lib/reviews/author-page/own-texts";
import { type AuthorItem, selectAuthorItems } from "./sql";

/** Items per page. */
const PAGE = 20;

/** How a page is opened: its parameters, and the request's headers. `after`: the previous page's `next`. */
export type Reader = { lang?: string; after?: string; headers: Headers };

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
  /** the position where this page begins, and of the next page; null: the first, and none */
  after: string | null;
  next: string | null;
  /** whether the person unsubscribed; `complained` can't be undone here */
  stopped: boolean;
  complained: boolean;
  /** whether the person may download and erase everything: nothing of others would be in it */
  isAlone: boolean;
};

/** `expired`: a new link can be emailed to `email`. `unknown`: the token is invalid, or its person was erased. */
export type AuthorPage =
  | ({ state: "open" } & OpenAuthorPage)
  | ({ state: "expired" } & Omit<OpenAuthorPage, "items" | "after" | "next" | "stopped" | "complained" | "isAlone">)
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
  const after = readPosition(reader.after);
  const [found, emails, isAlone] = await Promise.all([
    selectAuthorItems(pool(), client.id, email, PAGE + 1, after),
    readOptOut(optOutToken(client.id, about.holder), null),
    isOnePerson(client.id, email),
  ]);
  const items = found.slice(0, PAGE);
  const last = found.length > PAGE ? items.at(-1) : undefined;
  return {
    state: "open",
    ...shared,
    language: languageOf(reader.lang, found[0]?.lang, ...wishes, client.locale),
    items,
    after: after && positionText(after),
    next: last ? positionText(last) : null,
    stopped: emails?.stopped === true,
    complained: emails?.complained === true,
    isAlone,
  };
}
