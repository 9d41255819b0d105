import { env } from "@/lib/platform/env";
import { readToken, signToken } from "@/lib/platform/http/signed-token";

const INVITATION = "invitation-link/1";
const OPT_OUT = "opt-out-link/1";

/** The token of an invitation's form, `/r/{token}`. Its expiry is stored with the invitation: 180 days from sending. */
export const invitationToken = (clientId: string, invitationId: string): string =>
  signToken(INVITATION, [clientId, invitationId]);

export function readInvitationToken(token: string): { clientId: string; invitationId: string } | null {
  const [clientId, invitationId] = readToken(INVITATION, token, 2) ?? [];
  return clientId && invitationId ? { clientId, invitationId } : null;
}

/** The token of `/o/{token}`: for one address (keyed hash) at one client. Never expires, and works after an erasure. */
export const optOutToken = (clientId: string, emailHash: string): string => signToken(OPT_OUT, [clientId, emailHash]);

export function readOptOutToken(token: string): { clientId: string; emailHash: string } | null {
  const [clientId, emailHash] = readToken(OPT_OUT, token, 2) ?? [];
  return clientId && emailHash ? { clientId, emailHash } : null;
}

export const invitationLink = (clientId: string, invitationId: string): string =>
  `${env().PUBLIC_URL}/r/${invitationToken(clientId, invitationId)}`;

export const optOutLink = (clientId: string, emailHash: string): string =>
  `${env().PUBLIC_URL}/o/${optOutToken(clientId, emailHash)}`;
