import { createHash } from "node:crypto";
import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

const PURPOSE = "verification-link/1";

/** Days that a mailed link works, from its mail. */
export const LINK_DAYS = 30;

/** What is kept of a link's secret. */
export const hashLinkSecret = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** `/verify/{token}`, as it is mailed. */
export const verificationLink = (clientId: string, secret: string): string =>
  `${env().PUBLIC_URL}/verify/${signToken(PURPOSE, [clientId, secret])}`;

/** Which link of which client a token is, or null for one that is not ours. */
export function readVerificationToken(token: string): { clientId: string; hash: string } | null {
  const [clientId, secret] = readToken(PURPOSE, token, 2) ?? [];
  return clientId && secret ? { clientId, hash: hashLinkSecret(secret) } : null;
}
