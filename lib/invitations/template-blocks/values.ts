/** The placeholders of a text in a block, and the Liquid expression of each. */
export const placeholders = {
  customer_name: "customer_name",
  client_name: "client_name",
  product_name: "items.first.name",
  subject: "subject",
  greeting: "greeting",
  heading: "heading",
  intro: "intro",
  write_label: "write_label",
} as const;
export type Placeholder = keyof typeof placeholders;

/** A part of a text: characters to show as they are, or a placeholder. */
export type TextPart = { literal: string } | { placeholder: Placeholder };

/** Splits a text with `{{ name }}` for placeholders. Unknown names are shown as written. */
export function textParts(text: string): TextPart[] {
  // `split` with a group: texts at even positions, names between them.
  return text.split(/(\{\{ ?[a-z_]+ ?\}\})/).flatMap((part, index): TextPart[] => {
    const name = index % 2 === 1 ? part.replace(/[{} ]/g, "") : "";
    if (Object.hasOwn(placeholders, name)) return [{ placeholder: name as Placeholder }];
    return part === "" ? [] : [{ literal: part }];
  });
}

/** A placeholder as it is written in a text. */
export const placeholderText = (name: Placeholder): string => `{{ ${name} }}`;
