import type { SellerList } from "../shown";
import { h } from "./dom";
import { dialog, show } from "./place";
import { at, read, settings, shop, views, words } from "./service";

/** How customers rate the shop, on one line; a click shows what they wrote. */
export async function showSeller(host: HTMLElement): Promise<(() => void) | undefined> {
  const first = await read<SellerList>(at("seller_reviews.json"));
  if (first.review_count === 0) return undefined;
  const line = h("button", { type: "button", class: "badge", onclick: open }, views.sellerLine(first));
  const within = h("div", { class: "candor line", lang: settings.lang }, line);

  return () => show(host, within);

  function open() {
    const title = words.seller.replace("{shop}", () => shop);
    const box = dialog(within, title);
    const list = h("ol", { class: "list" });
    const status = h("p", { role: "status" });
    let next: string | null = null;
    const more = h("button", { type: "button", class: "plain more", onclick: goOn }, words.more_seller);
    const add = ({ seller_reviews, next_page_url }: SellerList) => {
      next = next_page_url;
      list.append(...seller_reviews.map(views.sellerReview));
      more.hidden = !next;
    };
    async function goOn() {
      const from = next;
      if (!from) return;
      next = null;
      try {
        add(await read<SellerList>(from));
      } catch {
        next = from;
        status.textContent = words.failed;
      }
    }
    box.append(h("h2", null, title), h("p", { class: "badge" }, views.sellerLine(first)), list, status, more);
    add(first);
  }
}
