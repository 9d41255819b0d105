import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";
import { personHash } from "@/lib/platform/secrets/person-hash";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";

const PURPOSE = "edit-link/2";

/** Days that a link to edit works, from when it is made. */
export const EDIT_DAYS = 30;

const kinds = ["review", "seller_review", "question"] as const satisfies UploadSubject["kind"][];
/** What can be edited by its author through a link. */
export type EditedKind = (typeof kinds)[number];

/** What a link to edit is about; `holder` is the address that it was mailed to, as `personHash` keeps it. */
export type EditSubject = { clientId: string; kind: EditedKind; id: string; holder: string; expiresAt: Date };

/**
 * The address where the author of a review, seller review or question can change it: `/edit/{token}`, for the mail that
 * tells of a rejection to `email`. It works for 30 days from now, and as long as that is the author's address. Whoever has
 * it can change the text, so it goes to the author only.
 */
export const editLink = (clientId: string, kind: EditedKind, id: string, email: string): string =>
  `${env().PUBLIC_URL}/edit/${editToken(clientId, kind, id, email)}`;

/** The token of `editLink`. When it ends stands in it, in seconds since 1970. */
export function editToken(clientId: string, kind: EditedKind, id: string, email: string): string {
  const ends = Math.floor(now().getTime() / 1000) + EDIT_DAYS * 86_400;
  return signToken(PURPOSE, [clientId, kind, id, personHash(clientId, "email", email), String(ends)]);
}

/** What a token is about, also when it has run out; null for one that is not ours. */
export function readEditToken(token: string): EditSubject | null {
  const [clientId, given, id, holder, ends] = readToken(PURPOSE, token, 5) ?? [];
  const kind = kinds.find((one) => one === given);
  return clientId && kind && id && holder
    ? { clientId, kind, id, holder, expiresAt: new Date(Number(ends) * 1000) }
    : null;
}
