import { type Line, makeLine } from "@/components/portal/line";
import type { Toaster } from "@/components/ui/toast-look";
import { decidingKeys, movingKeys } from "@/lib/moderation/queue/values";

// Between a page's HTML and the moment its script has taken over, a press would do nothing; and so it would at what the server
// drew of a part whose script comes later, and at a window that is on its way. What is done meanwhile stands in line
// (line.ts): presses, keys, what is typed, forms that are sent. What comes while the line is done stands in it, too.

declare global {
  interface Window {
    /** says that the page's script has taken over */
    candorReady?: () => void;
    /** what waits to be done; there on every page of the portal */
    candorLine?: Line;
    /** shows a message, once the page's script has taken over */
    candorSay?: Toaster["show"];
  }
}

/**
 * Runs in the page by itself, before any other script: it must stand alone. What works without script is left to the
 * browser: links, forms that have an address, and what opens by itself.
 */
function hear(line: Line, moving: readonly string[], deciding: readonly string[]): void {
  const pressable = "button, input[type=checkbox], input[type=radio]";
  const box = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  const late = "[data-coming]";
  const written = new WeakMap<Element, string>();
  /** When a link was pressed that the browser follows by itself: the page may still come, but has been left. */
  let leftAt = Number.NEGATIVE_INFINITY;
  /** Whether the part of the page that something belongs to still has no script. */
  const earlyOf = (part: Element | null) => (part ? () => part.isConnected && part.matches(late) : undefined);
  const decisionOf = (name: string | null) => deciding.find((each) => each === name);
  const isPlain = (element: Element) => element.closest("form[action]") !== null;
  const hold = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  /** Takes a press, or the sending of a form, where it cannot be done yet. */
  const take = <Taken extends HTMLElement>(event: Event, what: Taken, act: (what: Taken) => void) => {
    if (isPlain(what)) return;
    const awaited = line.awaited();
    // Whoever presses something else while a window or a box is on its way goes on without it.
    if (awaited && awaited !== "page") line.gone(awaited);
    const part = what.closest(late);
    const deed = { what, part, decides: decisionOf(what.getAttribute("aria-keyshortcuts")) };
    if (line.isRepeat(deed, event.timeStamp)) return hold(event);
    if (!line.holds() && !part) return;
    hold(event);
    // It shows that it was heard, without a change to the page that its script would stumble over.
    const cue = what.animate({ opacity: [0.6, 0.6] }, 10_000);
    const alike = () => [...(part?.querySelectorAll<Taken>(what.tagName) ?? [])];
    const place = alike().indexOf(what);
    line.add({
      ...deed,
      isEarly: earlyOf(part),
      again: () => {
        cue.cancel();
        // A part that has come may have been drawn anew; it must be the same there.
        const same = what.isConnected ? what : alike()[place];
        if (!same?.isConnected || same.outerHTML !== what.outerHTML) return false;
        act(same);
      },
    });
  };
  /** Tells the script, once it is there, what the browser has done by itself. */
  const tell = (what: Element, again: () => void) => {
    const part = what.closest(late);
    if (!part && line.awaited() !== "page") return;
    if (!line.deeds.some((deed) => deed.what === what))
      line.add({ what, part, isEarly: earlyOf(part), stays: true, again });
  };

  const press = (event: MouseEvent) => {
    const target = event.target as Element;
    const pressed = target.closest<HTMLElement>(pressable);
    if (pressed) return take(event, pressed, (button) => button.click());
    const link = target.closest<HTMLAnchorElement>("a[href]");
    const isElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (link && !isElsewhere && !link.target && !link.hash && !link.hasAttribute("download")) {
      // What was done before it must not be lost with the page; pressed again it leads on, should the script never come.
      const waits = line.deeds.some(({ part, stays }) => !part && !stays);
      const isAgain = event.detail < 2 && line.deeds.some(({ what }) => what === link);
      if (waits && !isAgain) return take(event, link, (same) => same.click());
      if (line.awaited() === "page" || link.closest(late)) leftAt = event.timeStamp;
    }
    const opened = target.closest("summary")?.parentElement;
    if (opened) tell(opened, () => opened.dispatchEvent(new Event("toggle")));
  };
  const send = (event: Event) => {
    // Sent as it stands, it would go to the page's own address with all that was typed.
    take(event, event.target as HTMLFormElement, (form) => form.requestSubmit());
  };
  const key = (event: KeyboardEvent) => {
    const { key: name, ctrlKey, altKey, repeat, timeStamp } = event;
    const awaited = line.awaited();
    const target = event.target as Element;
    const isInBox = target.closest(box) !== null;
    // Held down on a link that waits, Enter would press it again, and so lead on without what was done before it.
    const link = repeat && name === "Enter" ? target.closest("a[href]") : null;
    if (line.deeds.some(({ what }) => what === link)) return hold(event);
    // Where what has the focus has no script yet, React lets no key through to anybody.
    const holds = line.holds() || (!isInBox && target.closest(late) !== null);
    // What is written in a box is there at once, unless some of it still stands in line; a password is never kept.
    const isAtOnce = isInBox && (awaited || !holds || target.matches("[type=password]"));
    if (event.metaKey || event.isComposing || isAtOnce) return;
    const last = holds ? line.deeds.findLast(({ part }) => !part) : undefined;
    const opensBox = last?.what === "e" || last?.what === "/";
    const isText =
      isInBox || awaited === "reply" || awaited === "search" || last?.isText || (opensBox && last.what !== name);
    // Some write letters with Alt, or with the third level that is told as Ctrl and Alt; others command with these.
    const isThird = event.getModifierState("AltGraph") || (!ctrlKey && !/^[a-z\d]$/i.test(name));
    if ((ctrlKey || altKey) && !(isText && isThird)) return;
    if (name === "Backspace" && holds && line.unwrite()) return hold(event);
    const letter = name === "Enter" ? "\n" : name;
    // A space or Enter that writes nothing presses what has the focus, or scrolls.
    if (letter.length !== 1 || (!isText && /\s/.test(letter))) return;
    const isAtWindow = awaited === "window";
    const decides = isText || last?.what === "g" ? undefined : decisionOf(name);
    if (!isText && !isAtWindow && !moving.includes(name))
      if (line.isRepeat({ what: name, decides }, timeStamp) || (decides && timeStamp < leftAt + 10_000))
        return hold(event);
    if (!holds) return;
    if (name === "/" && awaited === "page" && !last) {
      const search = document.querySelector<HTMLElement>("input[type=search]");
      if (search?.checkVisibility()) {
        hold(event);
        return search.focus();
      }
    }
    hold(event);
    if (repeat && !isText && !moving.includes(name)) return;
    line.add({
      what: letter,
      isText,
      // A number is the reason that a rejection is given, or nothing.
      decides: decides ?? (!isText && /\d/.test(name) ? name : undefined),
      again: () => {
        const at = document.activeElement ?? document.body;
        const isBox = at.matches(box);
        if (isText && !isBox) return false;
        if (isBox && (isText || isAtWindow)) {
          if (letter !== "\n" || at.matches("textarea")) return document.execCommand("insertText", false, letter);
          return (at as HTMLInputElement).form?.requestSubmit();
        }
        // Pressed at a window, it means nothing behind that.
        if (isAtWindow && !at.closest("[role=dialog]:not([data-state=closed])")) return;
        (isBox || at.closest(late) ? document.body : at).dispatchEvent(
          new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }),
        );
      },
    });
  };
  const type = (event: Event) => {
    const field = event.target as HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
    if (isPlain(field) || field.type === "file") return;
    // A password is left where it was written.
    if (field.type !== "password") written.set(field, field.value);
    tell(field, () => {
      // What was done before it may have had the field drawn anew, without it.
      const value = written.get(field) ?? field.value;
      if (field instanceof HTMLSelectElement) {
        field.value = value;
        return field.dispatchEvent(new Event("change", { bubbles: true }));
      }
      // React knows what it saw last, and takes the same value for no change.
      field.value = `${value} `;
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
      return field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  };

  /** How the page calls what was pressed. */
  const nameOf = (what: HTMLElement) => {
    const named = (what as HTMLInputElement).labels?.[0] ?? what.querySelector("[type=submit]") ?? what;
    const own = [...named.childNodes].map((node) => (node instanceof Text ? node.data : "")).join("");
    return named.ariaLabel || own.trim() || (named.textContent ?? "");
  };
  /** Says it with the words that the page holds for this, in the language of who reads it. */
  const say = (how: "pressed" | "typed", what: string) => {
    const words = document.querySelector<HTMLElement>("[data-lost]")?.dataset[how];
    const text = words?.replace("{what}", () => what);
    if (text) window.candorSay?.({ id: text, text, tone: "bad", duration: 12_000 });
  };
  line.lost = (deeds) => {
    const text = deeds.flatMap(({ isText, what }) => (isText ? what : [])).join("");
    if (text) say("typed", text);
    for (const { what } of deeds) if (what instanceof HTMLElement) say("pressed", nameOf(what));
  };

  addEventListener("click", press, true);
  addEventListener("submit", send, true);
  addEventListener("keydown", key, true);
  addEventListener("input", type, true);
  line.awaits("page", Number.POSITIVE_INFINITY);
  window.candorLine = line;
  window.candorReady = () => {
    window.candorReady = undefined;
    performance.mark("candor-usable");
    line.here("page");
  };
}

/** For a `<script>` at the top of a page whose root calls {@link Window.candorReady}. */
export const earlyScript = `(${hear})((${makeLine})(),${JSON.stringify(movingKeys)},${JSON.stringify(decidingKeys)})`;
