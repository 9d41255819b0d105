import { createHash } from "node:crypto";
import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

const PURPOSE = "verification-link/1";

/** Days a link works after it is emailed. */
export const LINK_DAYS = 30;

/** The stored hash of a link's secret. */
export const hashLinkSecret = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** The emailed URL, `/verify/{token}`. */
export const verificationLink = (clientId: string, secret: string): string =>
  `${env().PUBLIC_URL}/verify/${signToken(PURPOSE, [clientId, secret])}`;

/** Returns a token's client and link hash. Null if the token is invalid. */
export function readVerificationToken(token: string): { clientId: string; hash: string } | null {
  const [clientId, secret] = readToken(PURPOSE, token, 2) ?? [];
  return clientId && secret ? { clientId, hash: hashLinkSecret(secret) } : null;
}
