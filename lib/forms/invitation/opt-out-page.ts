import { brandOf } from "@/lib/forms/brand";
import { contactLinks, type PlainPage, plainPage } from "@/lib/forms/plain-page";
import { formWords } from "@/lib/forms/words";
import type { OptOut } from "@/lib/invitations/opt-out";
import type { Reply } from "@/lib/platform/http/reply";
import { fill, languageOf } from "@/lib/platform/i18n/languages";

/** Before the button, after it, after it was taken back, or for a link that is not ours. */
export type OptOutView = "ask" | "stopped" | "resumed" | "unknown";

/** The page in the reader's language. */
export function optOutPage(view: OptOutView, about: OptOut | null, acceptLanguage: string | null): Reply<undefined> {
  const language = about?.language ?? languageOf(...(acceptLanguage ?? "").split(","));
  const words = formWords[language];
  const shop = about?.client.display_name ?? "";
  const views: Record<OptOutView, Pick<PlainPage, "heading" | "text" | "form">> = {
    ask: { heading: words.stop_heading, text: words.stop, form: { button: words.stop_button, action: "?" } },
    stopped: {
      heading: words.stopped_heading,
      text: words.stopped,
      ...(!about?.complained && { form: { button: words.stopped_button, action: "?again=1", quiet: true } }),
    },
    resumed: {
      heading: words.thanks_heading,
      text: words.resumed,
      form: { button: words.stop_button, action: "?", quiet: true },
    },
    unknown: { heading: words.unknown_heading, text: words.unknown },
  };
  const { heading, text, form } = views[view];
  const told = { heading: fill(heading, { shop }), text: fill(text, { shop }), form };
  const brand = about && brandOf(about.client);
  const links = contactLinks(brand, words.write_shop);
  return plainPage(
    { language, shop: brand, ...told, ...(links.length > 0 && { aside: { links } }) },
    view === "unknown" ? 404 : 200,
  );
}
