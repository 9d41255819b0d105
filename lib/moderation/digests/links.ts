import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

const DIGEST = "digest-link/1";

/** Returns the unsubscribe link of a person's digest for a client, `/d/{token}`. It never expires. */
export const stopDigestLink = (userId: string, clientId: string): string =>
  `${env().PUBLIC_URL}/d/${signToken(DIGEST, [userId, clientId])}`;

export function readDigestToken(token: string): { userId: string; clientId: string } | null {
  const [userId, clientId] = readToken(DIGEST, token, 2) ?? [];
  return userId && clientId ? { userId, clientId } : null;
}
