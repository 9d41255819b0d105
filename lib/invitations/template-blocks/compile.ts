import type { Block, TemplateBlocks } from "@/lib/accounts/stores/template-blocks/schema";
import {
  type Placeholder,
  placeholders,
  placeholderText,
  type TextPart,
  textParts,
} from "@/lib/invitations/template-blocks/values";
import {
  composeInvitation,
  type InvitationPart,
  invitationParts,
  withGap,
} from "@/lib/platform/mail/templates/invitation";

/** The Liquid texts of a template, as the settings contain them. */
export type CompiledTemplate = { subject: string; html_template: string; text_template: string };

/** Space in pixels above the first text of the email, and below its last one. */
const EDGE = 28;

/** Compiles a template made of blocks to Liquid. Texts can't contain HTML or Liquid, except for known placeholders. */
export function compileBlocks({ subject, blocks }: TemplateBlocks): CompiledTemplate {
  const shown = blocks.filter(({ type }) => type !== "footer");
  const parts = shown.map((block, index) => {
    const previous = shown[index - 1];
    const top = previous === undefined || previous.type === "logo" ? EDGE : 0;
    // The link to the store's review is left out of many emails.
    const isLast = shown.slice(index + 1).every(({ type }) => type === "seller");
    const bottom = isLast ? EDGE : 0;
    const gap = gapAbove(block, shown.slice(0, index));
    const render = (rendered: Block) => withGap(partOf(rendered, top, bottom), gap);
    if (!namesProduct(block)) return render(block);
    const others = withoutProduct(block);
    return ifNoProduct(others ? render(others) : invitationParts.space(top, bottom), render(block));
  });
  const footer = blocks.find(({ type }) => type === "footer");
  const own = footer?.type === "footer" && footer.text.trim() !== "" ? multiline(footer.text) : null;
  const { html, text } = composeInvitation(parts, invitationParts.footer(own));
  return {
    subject: withFallback(subject, "subject").text.replace(/\s+/g, " "),
    html_template: html,
    text_template: text,
  };
}

/** Liquid for the space above a block in plain text, which depends on the blocks left out of a seller-only email. */
function gapAbove(block: Block, before: Block[]): string {
  const [usual, withoutProduct] = [before, before.filter((other) => !isAboutProducts(other))].map((above) =>
    startsParagraph(block, above) ? "\n" : "",
  ) as [string, string];
  return usual === withoutProduct
    ? usual
    : `{% if ${isEmpty.product_name} %}${withoutProduct}{% else %}${usual}{% endif %}`;
}

/** Whether plain text has a blank line above a block. A heading belongs to its text. */
function startsParagraph({ type }: Block, before: Block[]): boolean {
  const above = before.findLast((block) => block.type !== "logo")?.type;
  if (above === undefined) return false;
  return type === "button" || (["greeting", "heading", "text"].includes(type) && above !== "heading");
}

/** Whether a seller-only email has nothing of a block in its plain text. */
const isAboutProducts = (block: Block): boolean =>
  ["products", "seller"].includes(block.type) || (namesProduct(block) && withoutProduct(block) === null);

function partOf(block: Block, top: number, bottom: number): InvitationPart {
  switch (block.type) {
    case "logo":
      return invitationParts.logo();
    case "greeting":
      return invitationParts.greeting(withFallback(block.text, "greeting"), top, bottom);
    case "heading":
      return invitationParts.heading(withFallback(block.text, "heading"), top, bottom);
    case "text":
      return invitationParts.text(paragraphsOf(block.text).map(multiline), top, bottom);
    case "products":
      return invitationParts.products();
    case "button":
      return invitationParts.button(
        block.url === null ? { html: "{{ review_url }}", text: "{{ review_url }}" } : literal(block.url),
        withFallback(block.label, "write_label"),
      );
    case "seller":
      return invitationParts.seller();
    case "footer":
      return invitationParts.footer(null);
  }
}

/** When a placeholder has no value. A seller-only invitation has no products. */
const isEmpty = { customer_name: "customer_name == blank", product_name: "items.size == 0" };

const paragraphsOf = (text: string): string[] => text.trim().split(/\r?\n\s*\r?\n/);

const hasProduct = (text: string): boolean =>
  textParts(text).some((part) => "placeholder" in part && part.placeholder === "product_name");

/** Whether a block of paragraphs names a product. Single lines have a default text instead. */
const namesProduct = (block: Block): boolean => block.type === "text" && hasProduct(block.text);

/** The paragraphs that don't name a product; null if there are none. */
function withoutProduct(block: Block): Block | null {
  if (block.type !== "text") return block;
  const others = paragraphsOf(block.text).filter((paragraph) => !hasProduct(paragraph));
  return others.length > 0 ? { ...block, text: others.join("\n\n") } : null;
}

/** A part for seller-only invitations, which have no product, and one for the others. */
const ifNoProduct = (without: InvitationPart, usual: InvitationPart): InvitationPart => {
  const either = (name: keyof InvitationPart) =>
    `{% if ${isEmpty.product_name} %}${without[name]}{% else %}${usual[name]}{% endif %}`;
  return { html: either("html"), text: either("text") };
};

/** A text with the customer's or a product's name is replaced by the default one if there is none. */
function withFallback(text: string, name: Placeholder): InvitationPart {
  const given = joined(textParts(text.trim()).map(liquidOf));
  const conditions = new Set(
    textParts(text).flatMap((part) =>
      "placeholder" in part && (part.placeholder === "customer_name" || part.placeholder === "product_name")
        ? [isEmpty[part.placeholder]]
        : [],
    ),
  );
  if (conditions.size === 0) return given;
  const either = (own: string) =>
    `{% if ${[...conditions].join(" or ")} %}${placeholderText(name)}{% else %}${own}{% endif %}`;
  return { html: either(given.html), text: either(given.text) };
}

function multiline(text: string): InvitationPart {
  const { html, text: plain } = joined(partsWithOptionalName(text.trim().replaceAll("\r\n", "\n")));
  return { html: html.replaceAll("\n", "<br>\n"), text: plain };
}

/**
 * The parts of a text. Without a customer's name, the space and punctuation beside it are left out too: “Hello, Ada!” is
 * “Hello!”, and “Ada, thank you” is “thank you”.
 */
function partsWithOptionalName(text: string): InvitationPart[] {
  const parts = textParts(text).map((part) => ({ part, before: "", after: "" }));
  for (const [index, name] of parts.entries()) {
    if (!("placeholder" in name.part && name.part.placeholder === "customer_name")) continue;
    const [previous, next] = [parts[index - 1]?.part, parts[index + 1]?.part];
    if (previous && "literal" in previous && !previous.literal.endsWith("\n")) {
      const kept = previous.literal.slice(0, lengthWithoutComma(previous.literal));
      name.before = previous.literal.slice(kept.length);
      previous.literal = kept;
    } else if (next && "literal" in next && !(previous && "placeholder" in previous)) {
      const kept = next.literal.replace(/^[^\S\n]?(?:[,:;!?–—]|\.(?!\.))?\s*/, "");
      name.after = next.literal.slice(0, next.literal.length - kept.length);
      next.literal = kept;
    }
  }
  return parts.map(({ part, before, after }) => {
    const shown = joined([literal(before), liquidOf(part), literal(after)]);
    if (!("placeholder" in part && part.placeholder === "customer_name")) return shown;
    const ifNamed = (liquid: string) => `{% unless ${isEmpty.customer_name} %}${liquid}{% endunless %}`;
    return { html: ifNamed(shown.html), text: ifNamed(shown.text) };
  });
}

/** Characters of a text before the space at its end, and a comma before that. */
function lengthWithoutComma(text: string): number {
  const { length } = text.trimEnd();
  return length < text.length && text[length - 1] === "," ? length - 1 : length;
}

const joined = (parts: InvitationPart[]): InvitationPart => ({
  html: parts.map(({ html }) => html).join(""),
  text: parts.map(({ text }) => text).join(""),
});

function liquidOf(part: TextPart): InvitationPart {
  if ("literal" in part) return literal(part.literal);
  const variable = `{{ ${placeholders[part.placeholder]} }}`;
  return { html: variable, text: variable };
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Characters to show as they are. Without a brace, nothing can start a Liquid tag. */
const literal = (text: string): InvitationPart => ({
  html: text
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll("{", "&#123;")
    .replaceAll("}", "&#125;"),
  text: text.replaceAll("{", '{{ "{" }}'),
});
