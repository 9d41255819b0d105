import { createHmac, timingSafeEqual } from "node:crypto";
import { env, secretKey } from "@/lib/env";

// Links that let somebody in by themselves: what they are about, and a MAC over it, in one base64url text. They hold
// references and keyed hashes only, so that an address or a name never stands in a link.

const MAC_BYTES = 16;

function sign(purpose: string, parts: string[]): string {
  const about = Buffer.from(parts.join("\n"));
  return Buffer.concat([mac(purpose, about), about]).toString("base64url");
}

/** The parts that were signed for this purpose, or null for anything that this service did not write. */
function read(purpose: string, token: string, count: number): string[] | null {
  if (!/^[\w-]{30,1000}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const about = bytes.subarray(MAC_BYTES);
  if (bytes.length <= MAC_BYTES || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(purpose, about))) return null;
  const parts = about.toString("utf8").split("\n");
  return parts.length === count ? parts : null;
}

const mac = (purpose: string, about: Buffer): Buffer =>
  createHmac("sha256", secretKey(purpose)).update(about).digest().subarray(0, MAC_BYTES);

const INVITATION = "invitation-link/1";
const OPT_OUT = "opt-out-link/1";

/** The token of an invitation's form, `/r/{token}`. When it ends is kept with the invitation: 180 days from sending. */
export const invitationToken = (clientId: string, invitationId: string): string =>
  sign(INVITATION, [clientId, invitationId]);

export function readInvitationToken(token: string): { clientId: string; invitationId: string } | null {
  const [clientId, invitationId] = read(INVITATION, token, 2) ?? [];
  return clientId && invitationId ? { clientId, invitationId } : null;
}

/** The token of `/o/{token}`: for one address (keyed hash) at one client. It never ends and outlives an erasure. */
export const optOutToken = (clientId: string, emailHash: string): string => sign(OPT_OUT, [clientId, emailHash]);

export function readOptOutToken(token: string): { clientId: string; emailHash: string } | null {
  const [clientId, emailHash] = read(OPT_OUT, token, 2) ?? [];
  return clientId && emailHash ? { clientId, emailHash } : null;
}

export const invitationLink = (clientId: string, invitationId: string): string =>
  `${env().PUBLIC_URL}/r/${invitationToken(clientId, invitationId)}`;

export const optOutLink = (clientId: string, emailHash: string): string =>
  `${env().PUBLIC_URL}/o/${optOutToken(clientId, emailHash)}`;
