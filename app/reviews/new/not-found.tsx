import { headers } from "next/headers";
import { PublicMessage, PublicPage } from "@/components/collect/public-page";
import { formWords } from "@/lib/forms/words";
import { languageOf } from "@/lib/languages/rules";

/** A link of a shop that is not ours says so in the reader's language. */
export default async function UnknownShop() {
  const language = languageOf(...((await headers()).get("accept-language") ?? "").split(","));
  const words = formWords[language];
  return (
    <PublicPage lang={language} shop={null}>
      <PublicMessage title={words.unknown_heading} text={words.unknown_shop} />
    </PublicPage>
  );
}
