import { brandOf } from "@/lib/forms/brand";
import { contactLinks, type PageItem, plainPage } from "@/lib/forms/plain-page";
import type { Verification } from "@/lib/forms/verification/open-verification";
import type { Reply } from "@/lib/platform/http/reply";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";
import type { WaitingItem } from "./sql";

/** Characters of a text that are shown: enough to know one's own words. */
const LONGEST = 600;

/** What the form of a page says beside what is chosen: where the next page begins, and that there was one before. */
export const NEXT = "next";
export const BEGUN = "begun";

/** The page behind a verification link; `confirmed` after its last button was used, `begun` after an earlier one. */
export function verificationPage(link: Verification, { confirmed = false, begun = false } = {}): Reply<undefined> {
  const { language } = link;
  const t = publicText(language);
  const brand = link.client && brandOf(link.client);
  const contact = contactLinks(brand, language);
  const common = { language, shop: brand, ...(contact.length > 0 && { aside: { links: contact } }) };
  if (link.state === "unknown")
    return plainPage({ ...common, heading: t("linkPage.unknownHeading"), text: t("linkPage.unknown") }, 404);
  const shop = link.client.display_name;
  const told = (heading: string, text: string) => ({ ...common, heading, text });
  if (confirmed) return plainPage(told(t("verification.doneHeading"), t("verification.done")));
  if (link.state !== "open") {
    return link.state === "over"
      ? plainPage(told(t("verification.overHeading"), t("verification.over")))
      : plainPage(told(t("linkPage.expiredHeading"), t("verification.expired", { shop })), 410);
  }
  const items = link.items.map((item) => toPageItem(item, t));
  const ask = items.length > 1 ? t("verification.textSeveral", { shop }) : t("verification.text", { shop });
  const hidden = [
    ...(link.next ? [{ name: NEXT, value: link.next }] : []),
    ...(begun ? [{ name: BEGUN, value: "1" }] : []),
  ];
  const form = { action: "?", button: t("verification.confirm"), items, hidden };
  const stop = { url: link.stop, label: t("verification.unsubscribe", { shop }) };
  const aside = { text: t("verification.notMe"), links: [stop, ...contact] };
  return plainPage({
    ...told(t("verification.heading"), link.next ? `${ask} ${t("verification.more")}` : ask),
    form,
    aside,
  });
}

function toPageItem({ kind, id, product, score, headline, words }: WaitingItem, t: PublicText): PageItem {
  const isReview = kind === "review";
  return {
    name: `${kind}.${id}`,
    label: product
      ? t(isReview ? "verification.reviewOf" : "verification.questionAbout", { product })
      : t(isReview ? "verification.review" : "verification.question"),
    stars: score,
    lines: [headline ?? "", cut(words)].filter((line) => line !== ""),
  };
}

const cut = (text: string): string => {
  const characters = [...text.slice(0, 2 * LONGEST + 1)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : text;
};
