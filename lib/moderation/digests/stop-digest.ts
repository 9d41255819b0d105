import { type ClientRow, getClient } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { type PlainPage, plainPage } from "@/lib/forms/plain-page";
import { readDigestToken } from "@/lib/moderation/digests/links";
import { endDigest, getDigest } from "@/lib/moderation/digests/set-digest";
import { prisma, transaction } from "@/lib/platform/db/prisma";
import type { Reply } from "@/lib/platform/http/reply";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { emailText, publicText } from "@/lib/platform/i18n/public-texts";

/** The subject of an unsubscribe link; `on`: the digest is still turned on. */
export type DigestLink = { userId: string; client: ClientRow; language: Language; on: boolean };

/** Resolves a digest link. Null if the token is invalid. Read-only. */
export async function readDigestLink(token: string): Promise<DigestLink | null> {
  const about = readDigestToken(token);
  const client = about && (await getClient(about.clientId));
  if (!client) return null;
  const { userId } = about;
  const { user } = await prisma();
  const [digest, person] = await Promise.all([
    getDigest({ id: userId }, client),
    user.findUnique({ where: { id: userId }, select: { locale: true } }),
  ]);
  return { userId, client, language: languageOf(person?.locale, client.locale), on: digest !== null };
}

/** Turns the digest off. Idempotent. */
export async function stopDigest({ userId, client }: DigestLink): Promise<void> {
  await transaction((db) => endDigest(db, userId, client.id));
}

/** The unsubscribe page, in the person's language. */
export function digestPage(about: DigestLink | null, acceptLanguage: string | null): Reply<undefined> {
  const language = about?.language ?? languageOf(...acceptedLanguages(acceptLanguage));
  const shop = about?.client.display_name ?? "";
  const t = emailText(language);
  const tPublic = publicText(language);
  const page: Pick<PlainPage, "heading" | "text" | "form"> = !about
    ? { heading: tPublic("linkPage.unknownHeading"), text: tPublic("linkPage.unknown") }
    : about.on
      ? {
          heading: t("digest.stopHeading"),
          text: t("digest.stop", { shop }),
          form: { button: t("digest.stopButton"), action: "?" },
        }
      : { heading: t("digest.stoppedHeading"), text: t("digest.stopped") };
  return plainPage({ language, shop: about && brandOf(about.client), ...page }, about ? 200 : 404);
}
