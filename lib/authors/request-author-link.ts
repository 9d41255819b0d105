import { getClient } from "@/lib/accounts/stores/get-client";
import { mailAuthorLink } from "@/lib/authors/mail-author-link";
import { type Reader, wishesOf } from "@/lib/authors/open-author-page";
import { requestPage, unknownPage } from "@/lib/authors/request-page";
import type { Reply } from "@/lib/platform/http/reply";
import { languageOf } from "@/lib/platform/i18n/languages";
import { log } from "@/lib/platform/log";

/** The page on which a store's authors request a link. */
export async function openRequestPage(clientId: string, reader: Reader): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  const language = languageOf(reader.lang, ...wishesOf(reader), client?.locale);
  return client ? requestPage(client, language, "ask") : unknownPage(null, language);
}

/**
 * Emails a link if the store has something with this address. The response is the same for everybody and doesn't wait
 * for the lookup, so that neither it nor its time tells who wrote to the store.
 */
export async function requestAuthorLink(clientId: string, email: string, reader: Reader): Promise<Reply<undefined>> {
  const client = await getClient(clientId);
  const language = languageOf(reader.lang, ...wishesOf(reader), client?.locale);
  if (!client) return unknownPage(null, language);
  startMail(client.id, email);
  return requestPage(client, language, "sent");
}

/** Emails a link after the response; an error is only logged. */
export const startMail = (clientId: string, email: string): void => {
  mailAuthorLink(clientId, email).catch((error: unknown) =>
    log.error({ err: error, client: clientId }, "could not email the link to an author's page"),
  );
};
