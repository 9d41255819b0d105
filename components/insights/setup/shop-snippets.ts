import { snippetOf } from "@/components/settings/snippet";
import type { ShopPlatform } from "@/lib/insights/setup/values";

/** What the catalog's product ids are: the shop's SKUs, or the ids that its platform gives products. */
export type ProductIds = "sku" | "internal";

type Shop = { origin: string; clientId: string; ids: ProductIds };

/** How each platform writes a product's id into its pages. Platforms that fill in nothing have none. */
const placeholders: Record<Exclude<ShopPlatform, "html">, Record<ProductIds, string>> = {
  shopify: { sku: "{{ product.selected_or_first_available_variant.sku | escape }}", internal: "{{ product.id }}" },
  woocommerce: {
    sku: "<?php echo esc_attr( $product->get_sku() ); ?>",
    internal: "<?php echo esc_attr( $product->get_id() ); ?>",
  },
  magento: {
    sku: "<?= $escaper->escapeHtmlAttr($block->getProduct()->getSku()) ?>",
    internal: "<?= (int) $block->getProduct()->getId() ?>",
  },
  // Its templates escape every value.
  prestashop: { sku: "{$product.reference}", internal: "{$product.id_product}" },
};

export const magentoTemplate = "Magento_Catalog/templates/product/candor.phtml";
export const magentoLayoutFile = "Magento_Catalog/layout/catalog_product_view.xml";

/** The snippet for a platform's product page: stars, reviews and questions. */
export function shopSnippet(platform: ShopPlatform, { origin, clientId, ids }: Shop): string {
  const snippet = snippetOf({
    origin,
    clientId,
    parts: ["badge", "reviews", "questions"],
    language: "",
    productId: platform === "html" ? undefined : placeholders[platform][ids],
  });
  if (platform === "woocommerce")
    return `add_action( 'woocommerce_after_single_product_summary', function () {
  global $product;
  ?>
${snippet}
  <?php
}, 5 );`;
  if (platform === "magento")
    return `<?php
/** @var \\Magento\\Catalog\\Block\\Product\\View $block */
/** @var \\Magento\\Framework\\Escaper $escaper */
?>
${snippet}`;
  return snippet;
}

/** Magento's layout file that shows the template with the snippet below the product. */
export const magentoLayout = `<?xml version="1.0"?>
<page xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
      xsi:noNamespaceSchemaLocation="urn:magento:framework:View/Layout/etc/page_configuration.xsd">
  <body>
    <referenceContainer name="content">
      <block class="Magento\\Catalog\\Block\\Product\\View" name="candor.reviews"
             template="Magento_Catalog::product/candor.phtml" after="-"/>
    </referenceContainer>
  </body>
</page>`;
