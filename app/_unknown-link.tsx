import type { Metadata } from "next";
import { headers } from "next/headers";
import { PublicMessage, PublicPage } from "@/components/forms/public-page";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { setNotFoundStatus } from "@/lib/platform/http/page-response";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";

// Shown by the pages behind links when a link is unknown. Responds 404 and is rendered on the server.

/** The reader's language, or else the store's. */
const readerLanguage = async (shop: ClientRow | null): Promise<Language> =>
  languageOf(...acceptedLanguages((await headers()).get("accept-language")), shop?.locale);

/** Metadata of such a page in the reader's language. Sets the response status to 404. */
export async function unknownLinkMetadata(shop: ClientRow | null = null): Promise<Metadata> {
  setNotFoundStatus();
  return {
    title: { absolute: publicText(await readerLanguage(shop))("linkPage.unknownHeading") },
    robots: { index: false },
  };
}

type Props = {
  text: (t: PublicText) => string;
  /** the link's store, if still known: the page then shows its name and contact */
  shop?: ClientRow | null;
};

/** Tells the reader, in their language, that the link is unknown or has expired. */
export async function UnknownLink({ text, shop = null }: Props) {
  const language = await readerLanguage(shop);
  const t = publicText(language);
  const brand = shop && brandOf(shop);
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicMessage title={t("linkPage.unknownHeading")} text={text(t)}>
        {brand?.contact && (
          <a href={brand.contact} rel="noreferrer" className="link text-sm">
            {t("linkPage.contactStore", { shop: brand.name })}
          </a>
        )}
      </PublicMessage>
    </PublicPage>
  );
}
