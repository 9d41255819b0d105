/** What gets the focus back when a window closes: what has it now, or the button of the menu that has it, which goes. */
export function findOpener(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : focused;
  return opener instanceof HTMLElement ? opener : null;
}
