import type { KeyboardEvent as ReactKeyboardEvent } from "react";

// Keys pressed at a window that was asked for and is still on its way. It answers them, in their order, once it has come.

let pressed: { key: string; at: number }[] = [];

/** Older ones were pressed at something that never came. */
const LONGEST_MS = 10_000;

/** Keeps a key for the window that comes. */
export function keepPressed(event: ReactKeyboardEvent): void {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  // One that is kept down counts once.
  if (!event.repeat) pressed.push({ key: event.key, at: performance.now() });
}

/** The window is not wanted any more. */
export function forgetPressed(): void {
  pressed = [];
}

/** Presses again what was kept, where the focus is: for a window that has just come. */
export function pressAgain(): void {
  const keys = pressed.filter(({ at }) => performance.now() - at < LONGEST_MS);
  forgetPressed();
  const next = ([first, ...rest]: typeof keys) => {
    if (!first) return;
    setTimeout(next, 0, rest);
    const at = document.activeElement ?? document.body;
    at.dispatchEvent(new KeyboardEvent("keydown", { key: first.key, bubbles: true, cancelable: true }));
  };
  // Its focus is where it begins by then.
  setTimeout(next, 0, keys);
}
