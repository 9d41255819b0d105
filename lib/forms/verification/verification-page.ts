import { brandOf } from "@/lib/forms/brand";
import { contactLinks, itemLines, type PageItem, plainPage } from "@/lib/forms/plain-page";
import type { Verification } from "@/lib/forms/verification/open-verification";
import type { Reply } from "@/lib/platform/http/reply";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";
import type { UnverifiedItem } from "./sql";

/** Form fields besides the selection: the next page's position, and whether an earlier page was submitted. */
export const NEXT_FIELD = "next";
export const STARTED_FIELD = "begun";

/** The page of a verification link: `confirmed` after its last button was used, `begun` after an earlier one. */
export function verificationPage(
  link: Verification,
  { confirmed = false, begun: started = false } = {},
): Reply<undefined> {
  const { language } = link;
  const t = publicText(language);
  const brand = link.client && brandOf(link.client);
  const contact = contactLinks(brand, language);
  const common = { language, shop: brand, ...(contact.length > 0 && { aside: { links: contact } }) };
  if (link.state === "unknown")
    return plainPage({ ...common, heading: t("linkPage.unknownHeading"), text: t("linkPage.unknown") }, 404);
  const shop = link.client.display_name;
  const messagePage = (heading: string, text: string) => ({ ...common, heading, text });
  if (confirmed) return plainPage(messagePage(t("verification.doneHeading"), t("verification.done")));
  if (link.state !== "open") {
    return link.state === "over"
      ? plainPage(messagePage(t("verification.overHeading"), t("verification.over")))
      : plainPage(messagePage(t("linkPage.expiredHeading"), t("verification.expired", { shop })), 410);
  }
  const items = link.items.map((item) => toPageItem(item, t));
  const ask = items.length > 1 ? t("verification.textSeveral", { shop }) : t("verification.text", { shop });
  const hidden = [
    ...(link.next ? [{ name: NEXT_FIELD, value: link.next }] : []),
    ...(started ? [{ name: STARTED_FIELD, value: "1" }] : []),
  ];
  const form = { action: "?", button: t("verification.confirm"), items, hidden };
  const stop = { url: link.stop, label: t("verification.unsubscribe", { shop }) };
  const aside = { text: t("verification.notMe"), links: [stop, ...contact] };
  return plainPage({
    ...messagePage(t("verification.heading"), link.next ? `${ask} ${t("verification.more")}` : ask),
    form,
    aside,
  });
}

function toPageItem({ kind, id, product, score, lang, headline, words }: UnverifiedItem, t: PublicText): PageItem {
  const isReview = kind === "review";
  return {
    name: `${kind}.${id}`,
    label: product
      ? t(isReview ? "verification.reviewOf" : "verification.questionAbout", { product })
      : t(isReview ? "verification.review" : "verification.question"),
    stars: score,
    lines: itemLines(headline, words),
    lang,
  };
}
