import { honestyPageUrl, receiptUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { authorRequestUrl } from "@/lib/reviews/author-page/link";

/** A link to the public page on how the store handles reviews. */
export function HonestyLink({ clientId, language }: { clientId: string; language: Language }) {
  return (
    <a href={honestyPageUrl(clientId, language)} target="_top" className="link text-sm">
      {publicText(language)("honesty.link")}
    </a>
  );
}

/** A link to the page on which authors request a link to their own page. */
export function AuthorRequestLink(props: { clientId: string; shop: string; language: Language }) {
  const { clientId, shop, language } = props;
  return (
    <a href={authorRequestUrl(clientId, language)} target="_top" className="link text-sm">
      {publicText(language)("authorPage.requestHeading", { shop })}
    </a>
  );
}

/** A link to a receipt: what happens to the text that was just stored, or to the one about `name`. */
export function ReceiptLink(props: { clientId: string; token: string; name?: string; language: Language }) {
  const { clientId, token, name, language } = props;
  const t = publicText(language);
  return (
    <a href={receiptUrl(clientId, token, language)} target="_top" rel="noreferrer" className="link text-sm">
      {name === undefined ? t("receipt.link") : t("receipt.linkOf", { name })}
    </a>
  );
}
