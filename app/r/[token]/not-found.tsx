import { headers } from "next/headers";
import { PublicMessage, PublicPage } from "@/components/collect/public-page";
import { brandOf } from "@/lib/forms/brand";
import { formWords } from "@/lib/forms/words";
import { PATH_HEADER } from "@/lib/http/page-headers";
import { shopOfInvitation } from "@/lib/invitations/open-invitation";
import { fill, languageOf, wishesOf } from "@/lib/languages/rules";

/**
 * A link that is not ours, or whose invitation has been deleted, says so in the reader's language; where it is ours, in the
 * name of its shop, with where to reach that.
 */
export default async function UnknownLink() {
  const given = await headers();
  const client = await shopOfInvitation(given.get(PATH_HEADER)?.split("/")[2] ?? "");
  const language = languageOf(...wishesOf(given.get("accept-language")), client?.locale);
  const words = formWords[language];
  const brand = client && brandOf(client);
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicMessage title={words.unknown_heading} text={words.unknown}>
        {brand?.contact && (
          <a href={brand.contact} rel="noreferrer" className="link text-sm">
            {fill(words.write_shop, { shop: brand.name })}
          </a>
        )}
      </PublicMessage>
    </PublicPage>
  );
}
