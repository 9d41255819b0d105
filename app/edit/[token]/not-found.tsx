import { headers } from "next/headers";
import { PublicMessage, PublicPage } from "@/components/collect/public-page";
import { editWords } from "@/lib/edits/words";
import { formWords } from "@/lib/forms/words";
import { languageOf } from "@/lib/languages/rules";

/** A link that is not ours, or whose text has been deleted, says so in the reader's language. */
export default async function UnknownLink() {
  const language = languageOf(...((await headers()).get("accept-language") ?? "").split(","));
  return (
    <PublicPage lang={language} shop={null}>
      <PublicMessage title={formWords[language].unknown_heading} text={editWords[language].unknown} />
    </PublicPage>
  );
}
