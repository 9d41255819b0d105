import { h } from "./dom";
import { settings, t } from "./service";

const styles = __STYLES__ + settings.css;
let sheet: CSSStyleSheet | undefined;

/** A place's own shadow tree, with the widget's styles: the page's do not reach in, nor these out. */
function shadowRootOf(host: Element): ShadowRoot {
  if (host.shadowRoot) return host.shadowRoot;
  const root = host.attachShadow({ mode: "open" });
  // Made by script, so that no style-src of the page forbids it.
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  root.adoptedStyleSheets = [sheet];
  return root;
}

/**
 * Shows something in a place of the page, in the stead of what was there. What comes late must not push down what the
 * visitor is looking at: while the end of the place is in sight, it takes only the height that the page keeps for it, and
 * the whole once that end is out of sight, or when the visitor uses it. `complete` adds what must be measured in the page.
 */
export function show(host: HTMLElement, content: HTMLElement, complete = () => {}): void {
  const reservedHeight = host.offsetHeight;
  shadowRootOf(host).replaceChildren(content);
  complete();
  const end = host.getBoundingClientRect().top + reservedHeight;
  if (
    content.matches(".line") ||
    reservedHeight === 0 ||
    end <= 0 ||
    end >= innerHeight ||
    content.offsetHeight <= reservedHeight
  )
    return;
  const expandBar = h(
    "div",
    { class: "hold" },
    h("button", { type: "button", class: "plain", onclick: expand }, t("all")),
  );
  content.classList.add("held");
  content.style.maxHeight = `${reservedHeight}px`;
  content.append(expandBar);
  const watcher = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) || expand());
  watcher.observe(expandBar);
  // Whoever uses what is there has begun to move things. With the click and not before it: what moved between a button's
  // press and its release would have swallowed it.
  for (const use of ["click", "focusin"])
    content.addEventListener(use, ({ target }) => expandBar.contains(target as Node) || expand());
  function expand() {
    watcher.disconnect();
    expandBar.remove();
    content.classList.remove("held");
    content.style.maxHeight = "";
  }
}

/** A window above the page. Closing it removes it. */
export function dialog(within: HTMLElement, label: string, kind = ""): HTMLDialogElement {
  const box = h(
    "dialog",
    { class: kind, "aria-label": label, onclose: () => box.remove() },
    h("button", { type: "button", class: "close", "aria-label": t("close"), onclick: () => box.close() }, "✕"),
  ) as HTMLDialogElement;
  // A click on the backdrop is one on the dialog itself, outside its edges.
  box.addEventListener("click", ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (target === box && (clientX < left || clientX > right || clientY < top || clientY > bottom)) box.close();
  });
  within.append(box);
  box.showModal();
  return box;
}
