import { randomBytes } from "node:crypto";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { createPurge } from "@/lib/platform/db/purge";
import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";
import type { Language } from "@/lib/platform/i18n/languages";
import { emailKey, personHash } from "@/lib/platform/secrets/person-hash";

// Links to an author's own page. A link has a keyed hash of the address, which `action_links` resolves until the
// person is erased, and the random secret of that row (`subject_id`): links from before don't work with a new row.

const PURPOSE = "author-page-link/1";
const DAY_MS = 86_400_000;

/** Days a link to an author's page works after it was made. */
export const AUTHOR_PAGE_DAYS = 30;

/** What a link is about. `holder` is the `personHash` of the address it was emailed to. */
export type AuthorPageSubject = { clientId: string; holder: string; secret: string; expiresAt: Date };

/**
 * A new link, `/me/{token}`, to the page with everything that has this address at the store, in the transaction that
 * writes the email with it. Email it only to this address. Locks the address's row, so make the link last.
 */
export async function createAuthorPageLink(db: Db, clientId: string, email: string): Promise<string> {
  const holder = personHash(clientId, "email", email);
  const at = now();
  const expiresAt = new Date(Math.floor(at.getTime() / 1000) * 1000 + AUTHOR_PAGE_DAYS * DAY_MS);
  const { rows } = await db.query<{ secret: string }>(
    `insert into action_links (client_id, hash, purpose, kind, subject_id, email_key, created_at, expires_at)
     values ($1, $2, 'author_page', 'author', $6, $3, $4, $5)
     on conflict (client_id, hash) do update set expires_at = greatest(action_links.expires_at, excluded.expires_at)
     returning subject_id as secret`,
    [clientId, holder, emailKey(email), at, expiresAt, randomBytes(12).toString("base64url")],
  );
  const secret = rows[0]?.secret ?? "";
  const token = signToken(PURPOSE, [clientId, holder, secret, String(expiresAt.getTime() / 1000)]);
  return `${env().PUBLIC_URL}/me/${token}`;
}

/** The page of a store on which authors request a link to their own page: in this language, or the reader's. */
export const authorRequestUrl = (clientId: string, language?: Language): string =>
  `${env().PUBLIC_URL}/me?client_id=${encodeURIComponent(clientId)}${language ? `&lang=${language}` : ""}`;

/** The subject of a token, even if it has expired. Null if the token is invalid. */
export function readAuthorPageToken(token: string): AuthorPageSubject | null {
  const [clientId, holder, secret, ends] = readToken(PURPOSE, token, 4) ?? [];
  return clientId && holder && secret ? { clientId, holder, secret, expiresAt: new Date(Number(ends) * 1000) } : null;
}

/** The normalized address that a link was emailed to. Null if the person was erased, or the link is older than its row. */
export async function selectHolder(
  db: Db,
  { clientId, holder, secret }: Omit<AuthorPageSubject, "expiresAt">,
): Promise<string | null> {
  const { rows } = await db.query<{ email_key: string }>(
    "select email_key from action_links where client_id = $1 and hash = $2 and purpose = 'author_page' and subject_id = $3",
    [clientId, holder, secret],
  );
  return rows[0]?.email_key ?? null;
}

/** Purges addresses whose links expired 90 days ago: till then, an expired page offers to email a new link. */
export const purgeAuthorPageLinks = createPurge("action_links", {
  key: "client_id, hash",
  timeColumn: "expires_at",
  maxAge: "90 days",
  where: "purpose = 'author_page'",
});
