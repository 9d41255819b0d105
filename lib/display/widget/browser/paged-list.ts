import { focusOn, h } from "./dom";
import { readJson, t } from "./service";

/** A list that loads another page when its button is pressed: its elements, and `add` for its first page. */
export function pagedList<Page extends { next_page_url: string | null }>(
  label: string,
  draw: (page: Page) => HTMLElement[],
): { list: HTMLElement; more: HTMLElement; status: HTMLElement; add: (page: Page) => void } {
  const list = h("ol", { class: "list" });
  const status = h("p", { role: "status" });
  const more = h("button", { type: "button", class: "plain more", onclick: loadNext }, label);
  let next: string | null = null;

  function add(page: Page): HTMLElement | undefined {
    const elements = draw(page);
    list.append(...elements);
    next = page.next_page_url;
    more.hidden = !next;
    return elements[0];
  }
  async function loadNext() {
    const from = next;
    if (!from) return;
    next = null;
    status.textContent = "";
    try {
      focusOn(add(await readJson<Page>(from)));
    } catch {
      next = from;
      status.textContent = t("failed");
    }
  }
  return { list, more, status, add };
}
