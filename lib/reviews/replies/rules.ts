/** Values of a template's placeholders. */
export type TemplateValues = { author: string | null; product: string | null; shop: string };

/** Fills a template's placeholders. An unknown value is removed with the preceding space. */
export function fillTemplate(text: string, { author, product, shop }: TemplateValues): string {
  const known = { author, product, shop };
  return text.replace(/( ?)\{(author|product|shop)\}/g, (_, blank: string, name: keyof TemplateValues) => {
    const value = known[name];
    return value ? `${blank}${value}` : "";
  });
}

/** Converts a reply to a template: names become placeholders. */
export function toTemplate(text: string, { author, product, shop }: TemplateValues): string {
  const named = Object.entries({ product, shop, author }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1].trim().length > 1,
  );
  // Longest first, since a store's name may be part of a product's.
  return named
    .sort(([, a], [, b]) => b.length - a.length)
    .reduce((result, [name, value]) => result.replace(wholeWord(value), `{${name}}`), text);
}

const wholeWord = (value: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}{])${value.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}}])`, "gu");
