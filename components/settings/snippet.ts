export type Snippet = {
  origin: string;
  clientId: string;
  parts: ("badge" | "reviews" | "questions" | "seller")[];
  /** "" = that of the shop */
  language: string;
};

/** The lines that put the widget into a page: the script, and a place for each part. */
export function snippetOf({ origin, clientId, parts, language }: Snippet): string {
  const query = language ? `?lang=${language}` : "";
  const load = [...parts, ...(parts.includes("reviews") ? ["structured_data"] : [])].join(" ");
  return [
    `<script async src="${origin}/onpage/${encodeURIComponent(clientId)}/head.js${query}"`,
    `        data-product-id="PRODUCT-ID"`,
    `        data-load="${load}"></script>`,
    ...parts.map((part) => `<div id="candor-${part}"></div>`),
  ].join("\n");
}
