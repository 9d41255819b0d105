import { env } from "@/lib/platform/env";

type Sender = { email_name: string; contact_email: string | null; config: Record<string, unknown> };

/**
 * `From` and `Reply-To` of a client's emails: its name with MAIL_FROM (or `config.from_address`); replies go to its
 * contact address.
 */
export function senderOf(client: Sender): { from: string; replyTo: string | null } {
  const configured = client.config.from_address;
  const address =
    typeof configured === "string" && configured !== "" ? configured : (env().MAIL_FROM ?? localAddress());
  return { from: formatMailbox(client.email_name, extractAddress(address)), replyTo: client.contact_email };
}

/** The address in `Shop <shop@example.org>`, or the whole value without brackets. */
export const extractAddress = (value: string): string => (/<([^<>]+)>\s*$/.exec(value)?.[1] ?? value).trim();

/** Sender of emails that are only stored, without an email service. */
const localAddress = (): string => `reviews@${new URL(env().PUBLIC_URL).hostname}`;

/** A name and address for a header: control characters are removed, names with special characters are quoted. */
export function formatMailbox(name: string, address: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  const clean = name.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
  if (clean === "") return address;
  const plain = /^[\p{L}\p{N} !#$%&'*+\-/=?^_`{|}~]+$/u.test(clean);
  return `${plain ? clean : `"${clean.replace(/["\\]/g, "\\$&")}"`} <${address}>`;
}
