/** What stands in the places of a template. */
export type TemplateValues = { author: string | null; product: string | null; shop: string };

/** The text of a template with its places filled. A place of which nothing is known goes, with the blank before it. */
export function fillTemplate(text: string, { author, product, shop }: TemplateValues): string {
  const known = { author, product, shop };
  return text.replace(/( ?)\{(author|product|shop)\}/g, (_, blank: string, name: keyof TemplateValues) => {
    const value = known[name];
    return value ? `${blank}${value}` : "";
  });
}

/** A reply as a template: names that it holds become places. */
export function toTemplate(text: string, { author, product, shop }: TemplateValues): string {
  const named = Object.entries({ product, shop, author }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1].trim().length > 1,
  );
  // The longest first: a shop's name may stand within a product's.
  return named
    .sort(([, a], [, b]) => b.length - a.length)
    .reduce((made, [name, value]) => made.replace(wholeWord(value), `{${name}}`), text);
}

const wholeWord = (value: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}{])${value.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}}])`, "gu");
