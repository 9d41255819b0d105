import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";
import { personHash } from "@/lib/platform/secrets/person-hash";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";

const PURPOSE = "edit-link/2";

/** Days an edit link works after it is created. */
export const EDIT_DAYS = 30;

const kinds = ["review", "seller_review", "question"] as const satisfies UploadSubject["kind"][];
/** Kinds of items that an author can edit through a link. */
export type EditedKind = (typeof kinds)[number];

/** The subject of an edit link. `holder` is the `personHash` of the address the link was emailed to. */
export type EditSubject = { clientId: string; kind: EditedKind; id: string; holder: string; expiresAt: Date };

/**
 * Returns the URL (`/edit/{token}`) where the author of a review, seller review or question can change it; it is sent
 * in the rejection email. Works for 30 days, while `email` is still the author's address. Anyone with the link can
 * change the text, so send it only to the author. `at`: the present time on the store's clock.
 */
export const editLink = (clientId: string, kind: EditedKind, id: string, email: string, at?: Date): string =>
  `${env().PUBLIC_URL}/edit/${editToken(clientId, kind, id, email, at)}`;

/** The token of `editLink`. It contains its expiry, in seconds since 1970. */
export function editToken(clientId: string, kind: EditedKind, id: string, email: string, at: Date = now()): string {
  const expirySeconds = Math.floor(at.getTime() / 1000) + EDIT_DAYS * 86_400;
  return signToken(PURPOSE, [clientId, kind, id, personHash(clientId, "email", email), String(expirySeconds)]);
}

/** Returns a token's subject, even if it has expired. Null if the token is invalid. */
export function readEditToken(token: string): EditSubject | null {
  const [clientId, given, id, holder, ends] = readToken(PURPOSE, token, 5) ?? [];
  const kind = kinds.find((one) => one === given);
  return clientId && kind && id && holder
    ? { clientId, kind, id, holder, expiresAt: new Date(Number(ends) * 1000) }
    : null;
}
