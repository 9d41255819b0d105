import type { Block, TemplateBlocks, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { placeholderText } from "@/lib/invitations/template-blocks/values";
import type { Issue } from "@/lib/platform/issue";

/** The default greeting by language, with a placeholder for the name; for `all`, the greeting of the reader's language. */
export type Greetings = Record<TemplateLanguage, string>;

/** The default email as blocks. */
export function defaultBlocks(greeting: string): TemplateBlocks {
  return {
    subject: placeholderText("subject"),
    blocks: [
      { id: "logo", type: "logo" },
      { id: "greeting", type: "greeting", text: greeting },
      { id: "heading", type: "heading", text: placeholderText("heading") },
      { id: "text", type: "text", text: placeholderText("intro") },
      { id: "products", type: "products" },
      { id: "button", type: "button", label: placeholderText("write_label"), url: null },
      { id: "seller", type: "seller" },
      { id: "footer", type: "footer", text: "" },
    ],
  };
}

/** What can be added to a template, in the order of the menu. */
export const addableBlocks = [
  "logo",
  "greeting",
  "heading",
  "text",
  "products",
  "button",
  "seller",
] as const satisfies Block["type"][];
export type AddableBlock = (typeof addableBlocks)[number];

/** What can be added to this template. Its logo block is the field of a setting, so there is only one. */
export const addableTo = ({ blocks }: TemplateBlocks): AddableBlock[] =>
  addableBlocks.filter((type) => type !== "logo" || blocks.every((block) => block.type !== "logo"));

/** Adds an empty block above the footer. */
export function addBlock({ subject, blocks }: TemplateBlocks, type: AddableBlock): TemplateBlocks {
  const id = unusedId(type, blocks);
  return { subject, blocks: [...blocks.slice(0, -1), newBlock(type, id), ...blocks.slice(-1)] };
}

function unusedId(type: string, blocks: Block[]): string {
  const used = new Set(blocks.map(({ id }) => id));
  for (let number = 1; ; number += 1) if (!used.has(`${type}-${number}`)) return `${type}-${number}`;
}

function newBlock(type: AddableBlock, id: string): Block {
  switch (type) {
    case "greeting":
      return { id, type, text: placeholderText("greeting") };
    case "heading":
    case "text":
      return { id, type, text: "" };
    case "button":
      return { id, type, label: placeholderText("write_label"), url: null };
    default:
      return { id, type };
  }
}

/** Moves a block by one position, but never below the footer. Returns the same template if it can't move. */
export function moveBlock(template: TemplateBlocks, id: string, by: -1 | 1): TemplateBlocks {
  const from = template.blocks.findIndex((block) => block.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || from >= template.blocks.length - 1 || to >= template.blocks.length - 1) return template;
  const blocks = [...template.blocks];
  const [moved] = blocks.splice(from, 1) as [Block];
  blocks.splice(to, 0, moved);
  return { ...template, blocks };
}

/**
 * What is missing in a template, at the field of its blocks: text in a block, and a button that opens the review form. The
 * unsubscribe link is part of the footer.
 */
export function blockIssues({ subject, blocks }: TemplateBlocks, field: string): Issue[] {
  const issues: Issue[] = [];
  if (subject.trim() === "") issues.push({ field: `${field}.subject`, reason: "empty" });
  blocks.forEach((block, index) => {
    const name = block.type === "button" ? "label" : "text";
    const text = block.type === "button" ? block.label : "text" in block ? block.text : null;
    if (text?.trim() === "" && block.type !== "footer")
      issues.push({ field: `${field}.blocks[${index}].${name}`, reason: "empty" });
  });
  if (!blocks.some((block) => block.type === "button" && block.url === null))
    issues.push({ field: `${field}.blocks`, reason: "blocks_without_review_button" });
  return issues;
}
