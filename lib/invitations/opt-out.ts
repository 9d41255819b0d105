import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { readOptOutToken } from "@/lib/invitations/links";
import { pool, transaction } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { deleteOptOut, findOptOut, insertSuppression } from "./sql";

/**
 * Whom an opt-out link is about. `stopped`: no more invitations go there at the person's own wish; `complained`: they told
 * their mail service so, which nobody takes back here.
 */
export type OptOut = {
  client: ClientRow;
  emailHash: string;
  language: Language;
  stopped: boolean;
  complained: boolean;
};

/**
 * What an opt-out link leads to, or null for one that is not ours. It never ends, and knows the address only as a keyed
 * hash, so that it works after an erasure as well. Writes nothing.
 */
export async function readOptOut(token: string, acceptLanguage: string | null): Promise<OptOut | null> {
  const about = readOptOutToken(token);
  const client = about && (await getClient(about.clientId));
  if (!client) return null;
  const { lang, ...known } = await findOptOut(pool(), client.id, about.emailHash);
  const wishes = acceptedLanguages(acceptLanguage);
  return {
    client,
    emailHash: about.emailHash,
    language: languageOf(lang, ...wishes, client.locale),
    ...known,
  };
}

/** Stops invitations to the address, whoever the link's holder is; again changes nothing. */
export async function stopInvitations({ client, emailHash }: OptOut): Promise<void> {
  await transaction((db) => insertSuppression(db, client.id, emailHash, "opt_out"));
}

/** Takes the person's own opt-out back. What an order said, a complaint, or a mailbox that bounced, stays. */
export async function resumeInvitations({ client, emailHash }: OptOut): Promise<void> {
  await transaction((db) => deleteOptOut(db, client.id, emailHash));
}
