import { brandOf } from "@/lib/forms/brand";
import { contactLinks, type PlainPage, plainPage } from "@/lib/forms/plain-page";
import type { OptOut } from "@/lib/invitations/opt-out";
import type { Reply } from "@/lib/platform/http/reply";
import { acceptedLanguages, languageOf } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";

/** Before the opt-out, after it, after it was undone, or for an invalid link. */
export type OptOutView = "ask" | "stopped" | "resumed" | "unknown";

/** The opt-out page in the reader's language. */
export function optOutPage(view: OptOutView, about: OptOut | null, acceptLanguage: string | null): Reply<undefined> {
  const language = about?.language ?? languageOf(...acceptedLanguages(acceptLanguage));
  const t = publicText(language);
  const shop = about?.client.display_name ?? "";
  const views: Record<OptOutView, Pick<PlainPage, "heading" | "text" | "form">> = {
    ask: {
      heading: t("unsubscribe.heading", { shop }),
      text: t("unsubscribe.text", { shop }),
      form: { button: t("unsubscribe.button"), action: "?" },
    },
    stopped: {
      heading: t("unsubscribe.doneHeading"),
      text: t("unsubscribe.done", { shop }),
      ...(!about?.complained && { form: { button: t("unsubscribe.undo"), action: "?again=1", quiet: true } }),
    },
    resumed: {
      heading: t("form.thanksHeading"),
      text: t("unsubscribe.resumed", { shop }),
      form: { button: t("unsubscribe.button"), action: "?", quiet: true },
    },
    unknown: { heading: t("linkPage.unknownHeading"), text: t("linkPage.unknown") },
  };
  const brand = about && brandOf(about.client);
  const links = contactLinks(brand, language);
  return plainPage(
    { language, shop: brand, ...views[view], ...(links.length > 0 && { aside: { links } }) },
    view === "unknown" ? 404 : 200,
  );
}
