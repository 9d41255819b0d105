// Between a page's HTML and the moment its script has taken over, a press would do nothing. What is done meanwhile is
// heard, and done once the page can: presses, keys, what is typed, forms that are sent. A press and a key count once,
// however often they come, since whoever sees nothing happen presses again.

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
function hear(): void {
  const heard = new Map<Element | string, { again: () => void; cue?: Animation }>();
  const isPlain = (element: Element) => element.closest("form[action]") !== null;
  const note = (what: Element | string, again: () => void) => {
    if (heard.has(what)) return;
    // It shows that it was heard, without a change to the page that its script would stumble over.
    const cue =
      what instanceof Element ? what.animate([{}, { opacity: 0.6 }], { duration: 150, fill: "forwards" }) : undefined;
    heard.set(what, { again, cue });
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
    note(`key ${name}`, () => {
      const at = document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
    });
  };
  const type = (event: Event) => {
    const field = event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
    if (isPlain(field) || field.type === "file") return;
    heard.set(field, {
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
    const next = ([first, ...rest]: [Element | string, { again: () => void; cue?: Animation }][]) => {
      if (!first) return;
      const [what, { again, cue }] = first;
      cue?.cancel();
      if (typeof what === "string" || what.isConnected) again();
      // What one does must be there before the next is done.
      setTimeout(next, 0, rest);
    };
    next([...heard]);
  };
}

/** For a `<script>` at the top of a page whose root calls {@link Window.candorReady}. */
export const earlyScript = `(${hear})()`;
