import { type Child, type CreateElement, htmlAttributes } from "../elements";

const SVG = "http://www.w3.org/2000/svg";

/** Creates DOM elements. */
export const h = ((tag, attributes, ...children) => {
  const element = /^(svg|path|rect)$/.test(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of htmlAttributes(attributes)) element.setAttribute(name, value);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
  element.append(...nodes(children));
  return element;
}) as CreateElement<HTMLElement>;

const nodes = (children: Child<HTMLElement>[]): (Node | string)[] =>
  children.flatMap((child) =>
    child == null || child === false
      ? []
      : Array.isArray(child)
        ? nodes(child)
        : [typeof child === "number" ? `${child}` : child],
  );

/** Moves the focus to new content, so that keyboard and screen reader users continue there. */
export function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}
