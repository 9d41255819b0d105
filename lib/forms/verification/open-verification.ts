import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { readVerificationToken } from "@/lib/forms/verification/links";
import { optOutLink } from "@/lib/invitations/links";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { positionText, readPosition } from "@/lib/reviews/author-page/own-texts";
import { selectLink, selectUnverified, type UnverifiedItem } from "./sql";

/** Items per page. */
const PAGE = 20;

/** The state of a verification link. */
export type Verification =
  /** `next`: position of the next page, null on the last one. `stop`: the address's opt-out link */
  | { state: "open"; client: ClientRow; language: Language; items: UnverifiedItem[]; next: string | null; stop: string }
  /** already used, or no items await verification */
  | { state: "over" | "expired"; client: ClientRow; language: Language }
  /** the link is invalid (no client), or its data is deleted */
  | { state: "unknown"; client: ClientRow | null; language: Language };

/**
 * Returns a page of the items that await verification, newest first; `after` is the previous page's `next`. Read-only,
 * because email scanners open links too.
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
    next: last ? positionText(last) : null,
    stop: optOutLink(client.id, personHash(client.id, "email", link.email_key)),
  };
}
