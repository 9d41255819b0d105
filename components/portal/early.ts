import { movingKeys } from "@/lib/queue/values";

// Between a page's HTML and the moment its script has taken over, a press would do nothing. What is done meanwhile is
// heard, and done in its order once the page can: presses, keys, what is typed, forms that are sent. Keys that move on
// count each time. Any other press or key counts once until one moves on, since whoever sees nothing happen presses again.

declare global {
  interface Window {
    /** says that the page's script has taken over */
    candorReady?: () => void;
  }
}

/**
 * Runs in the page by itself, before any other script: it must stand alone. What works without script is left to the
 * browser: links, and forms that have an address.
 */
function hear(moving: readonly string[]): void {
  type Heard = { what: Element | string; again: () => void; cue?: Animation };
  const heard: Heard[] = [];
  /** what counts no more until something moves on */
  const counted = new Set<Element | string>();
  const typed = new Set<Element>();
  /** what comes now is meant for the search, which is not shown yet */
  let isSearching = false;
  const isPlain = (element: Element) => element.closest("form[action]") !== null;
  const note = (what: Element | string, again: () => void) => {
    if (counted.has(what)) return;
    counted.add(what);
    // It shows that it was heard, without a change to the page that its script would stumble over.
    const cue =
      what instanceof Element ? what.animate([{}, { opacity: 0.6 }], { duration: 150, fill: "forwards" }) : undefined;
    heard.push({ what, again, cue });
  };
  const hold = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  const press = (event: Event) => {
    const target = event.target as Element;
    const pressed = target.closest<HTMLElement>("button, input[type=checkbox], input[type=radio]");
    if (!pressed || isPlain(pressed)) return;
    hold(event);
    note(pressed, () => pressed.click());
  };
  const send = (event: Event) => {
    const form = event.target as HTMLFormElement;
    if (isPlain(form)) return;
    // Sent as it stands, it would go to the page's own address with all that was typed.
    hold(event);
    note(form, () => form.requestSubmit());
  };
  const key = (event: KeyboardEvent) => {
    const { key: name, target } = event;
    if (name.length !== 1 || name === " " || event.ctrlKey || event.metaKey || event.altKey || event.isComposing)
      return;
    if ((target as Element).closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    if (isSearching) return;
    if (name === "/") {
      const search = document.querySelector<HTMLElement>("input[type=search]");
      if (search?.checkVisibility()) {
        event.preventDefault();
        search.focus();
        return;
      }
      isSearching = true;
    }
    if (moving.includes(name)) counted.clear();
    note(`key ${name}`, () => {
      const at = document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    });
  };
  const type = (event: Event) => {
    const field = event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
    if (isPlain(field) || field.type === "file" || typed.has(field)) return;
    typed.add(field);
    heard.push({
      what: field,
      again: () => {
        if (field instanceof HTMLSelectElement) return field.dispatchEvent(new Event("change", { bubbles: true }));
        // React knows what it saw last, and takes the same value for no change.
        const { value } = field;
        field.value = `${value} `;
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
        return field.dispatchEvent(new Event("input", { bubbles: true }));
      },
    });
  };

  addEventListener("click", press, true);
  addEventListener("submit", send, true);
  addEventListener("keydown", key, true);
  addEventListener("input", type, true);
  window.candorReady = () => {
    window.candorReady = undefined;
    performance.mark("candor-usable");
    removeEventListener("click", press, true);
    removeEventListener("submit", send, true);
    removeEventListener("keydown", key, true);
    removeEventListener("input", type, true);
    const next = ([first, ...rest]: Heard[]) => {
      if (!first) return;
      // What one does must be there before the next is done; and where one fails, the rest is done all the same.
      setTimeout(next, 0, rest);
      const { what, again, cue } = first;
      cue?.cancel();
      if (typeof what === "string" || what.isConnected) again();
    };
    // In a turn of its own: the page that calls this is still being drawn.
    setTimeout(next, 0, heard);
  };
}

/** For a `<script>` at the top of a page whose root calls {@link Window.candorReady}. */
export const earlyScript = `(${hear})(${JSON.stringify(movingKeys)})`;
