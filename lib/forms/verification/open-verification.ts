import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { readVerificationToken } from "@/lib/forms/verification/links";
import { optOutLink } from "@/lib/invitations/links";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { type Position, selectLink, selectUnverified, type UnverifiedItem } from "./sql";

/** How many items one page asks about. */
const PAGE = 20;

/** What a mailed link leads to. */
export type Verification =
  /** `next`: where the following page begins; null on the last. `stop`: the address's own opt-out link */
  | { state: "open"; client: ClientRow; language: Language; items: UnverifiedItem[]; next: string | null; stop: string }
  /** used already, or nothing waits any more */
  | { state: "over" | "expired"; client: ClientRow; language: Language }
  /** not a link of ours (no client), or what it led to is gone */
  | { state: "unknown"; client: ClientRow | null; language: Language };

/**
 * What waits behind a verification link, page by page, newest first; `after` is the `next` of the page before. Writes
 * nothing: mail scanners open links too.
 */
export async function openVerification(
  token: string,
  acceptLanguage: string | null,
  after?: string,
): Promise<Verification> {
  const wishes = acceptedLanguages(acceptLanguage);
  const about = readVerificationToken(token);
  const client = about && (await getClient(about.clientId));
  const link = client && (await selectLink(pool(), client.id, about.hash));
  if (!client || !link) return { state: "unknown", client, language: languageOf(...wishes, client?.locale) };
  const found = await selectUnverified(pool(), client.id, link.email_key, PAGE + 1, readPosition(after));
  const items = found.slice(0, PAGE);
  const language = languageOf(items[0]?.lang, ...wishes, client.locale);
  if (link.used_at || items.length === 0) return { state: "over", client, language };
  if (link.expires_at <= now()) return { state: "expired", client, language };
  const last = found.length > PAGE ? items.at(-1) : undefined;
  return {
    state: "open",
    client,
    language,
    items,
    next: last ? `${last.created_at.getTime()}.${last.id}` : null,
    stop: optOutLink(client.id, personHash(client.id, "email", link.email_key)),
  };
}

/** A position as a page's form carries it; null, the beginning, for what is none. */
function readPosition(text: string | undefined): Position | null {
  const [, time, id] = /^(\d{1,14})\.([0-9a-f]{16})$/.exec(text ?? "") ?? [];
  return time && id ? { created_at: new Date(Number(time)), id } : null;
}
