export type Snippet = {
  origin: string;
  clientId: string;
  parts: ("badge" | "reviews" | "questions" | "seller")[];
  /** "": the store's language */
  language: string;
  /** what a platform fills in */
  productId?: string;
};

/** The snippet that embeds the widget: the script, and a placeholder for each part. */
export function snippetOf({ origin, clientId, parts, language, productId = "PRODUCT-ID" }: Snippet): string {
  const query = language ? `?lang=${language}` : "";
  const load = [...parts, ...(parts.includes("reviews") ? ["structured_data"] : [])].join(" ");
  return [
    `<script async src="${origin}/onpage/${encodeURIComponent(clientId)}/head.js${query}"`,
    `        data-product-id="${productId}"`,
    `        data-load="${load}"></script>`,
    ...parts.map((part) => `<div id="candor-${part}"></div>`),
  ].join("\n");
}
