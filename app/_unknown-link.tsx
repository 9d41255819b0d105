import type { Metadata } from "next";
import { headers } from "next/headers";
import { PublicMessage, PublicPage } from "@/components/forms/public-page";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { setNotFoundStatus } from "@/lib/platform/http/page-response";
import { acceptedLanguages, type Language, languageOf } from "@/lib/platform/i18n/languages";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";

// What the pages behind links show where a link leads to nothing: answered by 404, and drawn on the server.

/** The reader's language, or else the shop's. */
const readerLanguage = async (shop: ClientRow | null): Promise<Language> =>
  languageOf(...acceptedLanguages((await headers()).get("accept-language")), shop?.locale);

/** The head of such a page, in the language of the page; it has the page answered by 404. */
export async function unknownLinkMetadata(shop: ClientRow | null = null): Promise<Metadata> {
  setNotFoundStatus();
  return {
    title: { absolute: publicText(await readerLanguage(shop))("linkPage.unknownHeading") },
    robots: { index: false },
  };
}

type Props = {
  text: (t: PublicText) => string;
  /** whose the link was, where it still tells so: then in its name, and with where to reach it */
  shop?: ClientRow | null;
};

/** A link that is not ours, or leads to nothing any more, says so in the reader's language. */
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
