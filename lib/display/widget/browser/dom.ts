import { type CreateElement, htmlAttributes } from "../elements";

const SVG = "http://www.w3.org/2000/svg";

/** Creates DOM elements. */
export const h = ((tag, attributes, ...children) => {
  const element = /^(svg|path|rect)$/.test(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of htmlAttributes(attributes)) element.setAttribute(name, value);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
  // `append` turns numbers into text itself.
  element.append(...(children.flat(9) as Node[]).filter((child) => child || (child as unknown) === 0));
  return element;
}) as CreateElement<HTMLElement>;

/** Moves the focus to new content, so that keyboard and screen reader users continue there. */
export function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
