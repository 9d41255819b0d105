import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { readOptOutToken } from "@/lib/invitations/links";
import { pool, transaction } from "@/lib/platform/db/pool";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { deleteOptOut, findOptOut, insertSuppression } from "./sql";

/**
 * The subject of an opt-out link. `stopped`: the person opted out of invitations; `complained`: the person reported
 * spam to their mail service, which can't be undone here.
 */
export type OptOut = {
  client: ClientRow;
  emailHash: string;
  language: Language;
  stopped: boolean;
  complained: boolean;
};

/**
 * Resolves an opt-out link. Null if the token is invalid. It never expires and contains only a keyed hash of the
 * address, so it works after an erasure too. Read-only.
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

/** Stops invitations to the address, whoever uses the link. Idempotent. */
export async function stopInvitations({ client, emailHash }: Pick<OptOut, "client" | "emailHash">): Promise<void> {
  await transaction((db) => insertSuppression(db, client.id, emailHash, "opt_out"));
}

/** Undoes the person's own opt-out. An order's opt-out, a complaint or a bounce remains. */
export async function resumeInvitations({ client, emailHash }: Pick<OptOut, "client" | "emailHash">): Promise<void> {
  await transaction((db) => deleteOptOut(db, client.id, emailHash));
}
