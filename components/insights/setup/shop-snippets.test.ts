import { expect, it } from "vitest";
import { magentoLayout, magentoTemplate, shopSnippet } from "@/components/insights/setup/shop-snippets";
import { findSnippets } from "@/lib/insights/setup/find-snippets";
import { shopPlatforms } from "@/lib/insights/setup/values";

const shop = { origin: "https://reviews.example", clientId: "Ö & co" } as const;
/** A page after the platform has filled in the id. */
const rendered = (snippet: string) =>
  snippet.replace(/data-product-id="(?:\{\{.*?\}\}|\{\$.*?\}|<\?.*?\?>|PRODUCT-ID)"/, 'data-product-id="LAMP&amp;1"');

it.each(shopPlatforms.flatMap((platform) => [[platform, "sku"] as const, [platform, "internal"] as const]))(
  "the snippet for %s by %s names one product, and the check finds it",
  (platform, ids) => {
    const snippet = shopSnippet(platform, { ...shop, ids });
    expect(snippet.match(/data-product-id=/g)).toHaveLength(1);
    expect(findSnippets(rendered(snippet), "https://shop.example/lamp", [shop.origin])).toEqual([
      { clientId: "Ö & co", productId: "LAMP&1" },
    ]);
    for (const part of ["badge", "reviews", "questions"]) expect(snippet).toContain(`<div id="candor-${part}"></div>`);
  },
);

it("names the product by what its feed contains", () => {
  expect(shopSnippet("shopify", { ...shop, ids: "sku" })).toContain(".sku | escape }}");
  expect(shopSnippet("shopify", { ...shop, ids: "internal" })).toContain('"{{ product.id }}"');
  expect(shopSnippet("html", { ...shop, ids: "sku" })).toContain('"PRODUCT-ID"');
});

it("has a layout for Magento that shows the template", () => {
  const [module, , name] = magentoTemplate.split(/\/(templates)\//);
  expect(magentoLayout).toContain(`template="${module}::${name}"`);
});
