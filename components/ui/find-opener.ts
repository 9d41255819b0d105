/**
 * The element that gets focus back when a dialog closes: the focused one, or the button of the menu that contains it,
 * since the menu disappears.
 */
export function findOpener(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return opener instanceof HTMLElement ? opener : null;
}
