import { type Attributes, type Child, type CreateElement, htmlAttributes } from "@/lib/display/widget/elements";

/** Marks HTML created here, as opposed to text from elsewhere. */
export class Html {
  constructor(readonly text: string) {}
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] as string);

const voidElements = new Set(["path", "rect", "img", "input", "br", "link"]);

/** Creates elements as HTML. */
export const html: CreateElement<Html> = (
  tag: string,
  attributes?: Attributes | null,
  ...children: Child<Html>[]
): Html => {
  const openTag = [tag, ...htmlAttributes(attributes).map(([name, value]) => `${name}="${escaped(value)}"`)].join(" ");
  const inside = children.map(htmlOf).join("");
  return new Html(voidElements.has(tag) && inside === "" ? `<${openTag}/>` : `<${openTag}>${inside}</${tag}>`);
};

const htmlOf = (child: Child<Html>): string => {
  if (child == null || child === false) return "";
  if (Array.isArray(child)) return child.map(htmlOf).join("");
  return child instanceof Html ? child.text : escaped(`${child}`);
};
