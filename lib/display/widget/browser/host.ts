import { h } from "./dom";
import { settings, t } from "./service";

const styles = __STYLES__ + settings.css;
let sheet: CSSStyleSheet | undefined;

/** A container's own shadow tree, with the widget's styles: the page's styles don't apply inside, nor these outside. */
function shadowRootOf(host: Element): ShadowRoot {
  if (host.shadowRoot) return host.shadowRoot;
  const root = host.attachShadow({ mode: "open" });
  // A constructed style sheet, since a page's style-src may forbid others.
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  root.adoptedStyleSheets = [sheet];
  return root;
}

/**
 * Replaces the content of a container. Late content must not push down what the visitor is looking at: while the
 * container's end is visible, it only takes the reserved height, and expands once the end is out of sight or the
 * visitor uses it. `complete` adds what must be measured in the page.
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
  const watcher = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) || expand(),
  );
  watcher.observe(expandBar);
  // Use by the visitor may shift the layout. Listens to the click rather than the press: a shift between press and
  // release would swallow the click.
  for (const use of ["click", "focusin"])
    content.addEventListener(use, ({ target }) => expandBar.contains(target as Node) || expand());
  function expand() {
    watcher.disconnect();
    expandBar.remove();
    content.classList.remove("held");
    content.style.maxHeight = "";
  }
}

/** Content on one line of a container. */
export const line = (content: HTMLElement) => h("div", { class: "candor line", lang: settings.lang }, content);

/** A modal dialog above the page. Closing it removes it. */
export function dialog(within: HTMLElement, label: string, kind?: string): HTMLDialogElement {
  const box = h(
    "dialog",
    { class: kind, "aria-label": label, onclose: () => box.remove() },
    h("button", { type: "button", class: "close", "aria-label": t("close"), onclick: () => box.close() }, "✕"),
  ) as HTMLDialogElement;
  // A click on the backdrop targets the dialog itself, outside its edges.
  box.addEventListener("click", ({ target, clientX, clientY }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (target === box && (clientX < left || clientX > right || clientY < top || clientY > bottom)) box.close();
  });
  within.append(box);
  box.showModal();
  return box;
}
