import { brandOf } from "@/lib/forms/brand";
import { contactLinks, type PageItem, plainPage } from "@/lib/forms/plain-page";
import type { Verification } from "@/lib/forms/verification/open-verification";
import { type VerificationPageWords, verificationPageWords } from "@/lib/forms/verification/words";
import { formWords } from "@/lib/forms/words";
import type { Reply } from "@/lib/platform/http/reply";
import { fill } from "@/lib/platform/i18n/languages";
import type { WaitingItem } from "./sql";

/** Characters of a text that are shown: enough to know one's own words. */
const LONGEST = 600;

/** What the form of a page says beside what is chosen: where the next page begins, and that there was one before. */
export const NEXT = "next";
export const BEGUN = "begun";

/** The page behind a verification link; `confirmed` after its last button was used, `begun` after an earlier one. */
export function verificationPage(link: Verification, { confirmed = false, begun = false } = {}): Reply<undefined> {
  const { language } = link;
  const { unknown_heading, unknown, write_shop } = formWords[language];
  const brand = link.client && brandOf(link.client);
  const contact = contactLinks(brand, write_shop);
  const common = { language, shop: brand, ...(contact.length > 0 && { aside: { links: contact } }) };
  if (link.state === "unknown") return plainPage({ ...common, heading: unknown_heading, text: unknown }, 404);
  const words = verificationPageWords[language];
  const shop = link.client.display_name;
  const told = (heading: string, text: string) => ({ ...common, heading, text: fill(text, { shop }) });
  if (confirmed) return plainPage(told(words.done_heading, words.done));
  if (link.state !== "open") {
    return link.state === "over"
      ? plainPage(told(words.over_heading, words.over))
      : plainPage(told(words.expired_heading, words.expired), 410);
  }
  const items = link.items.map((item) => toPageItem(item, words));
  const ask = items.length > 1 ? words.ask_several : words.ask;
  const hidden = [
    ...(link.next ? [{ name: NEXT, value: link.next }] : []),
    ...(begun ? [{ name: BEGUN, value: "1" }] : []),
  ];
  const form = { action: "?", button: words.button, items, hidden };
  const stop = { url: link.stop, label: fill(words.not_me_stop, { shop }) };
  const aside = { text: words.not_me, links: [stop, ...contact] };
  return plainPage({ ...told(words.ask_heading, link.next ? `${ask} ${words.ask_more}` : ask), form, aside });
}

function toPageItem({ kind, id, product, score, headline, words }: WaitingItem, page: VerificationPageWords): PageItem {
  const [bare, named] = kind === "review" ? [page.review, page.review_of] : [page.question, page.question_about];
  return {
    name: `${kind}.${id}`,
    label: product ? fill(named, { product }) : bare,
    stars: score,
    lines: [headline ?? "", cut(words)].filter((line) => line !== ""),
  };
}

const cut = (text: string): string => {
  const characters = [...text.slice(0, 2 * LONGEST + 1)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : text;
};
