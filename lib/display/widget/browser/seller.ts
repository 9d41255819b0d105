import type { SellerList } from "../types";
import { h } from "./dom";
import { dialog, line, show } from "./host";
import { pagedList } from "./paged-list";
import { clientUrl, readJson, shop, t, views } from "./service";

/** The store's rating on one line; a click shows the seller reviews. */
export async function showSeller(host: HTMLElement): Promise<(() => void) | undefined> {
  const first = await readJson<SellerList>(clientUrl("seller_reviews.json"));
  if (first.review_count === 0) return undefined;
  const within = line(h("button", { type: "button", class: "badge", onclick: open }, views.sellerLine(first)));

  return () => show(host, within);

  function open() {
    const title = t("seller", { shop });
    const { list, more, status, add } = pagedList<SellerList>(t("moreSeller"), ({ seller_reviews }) =>
      seller_reviews.map(views.sellerReview),
    );
    const heading = [h("h2", null, title), h("p", { class: "badge" }, views.sellerLine(first))];
    dialog(within, title).append(...heading, list, status, more);
    add(first);
  }
}
