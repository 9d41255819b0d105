/** The steps from an empty store to reviews on its own pages, in order. */
export const setupSteps = [
  "products",
  "branding",
  "sender",
  "order",
  "email",
  "review",
  "moderation",
  "widget",
  "people",
  "import",
] as const;
export type SetupStepName = (typeof setupSteps)[number];

/** Steps that a store may not need. */
export const skippableSteps = ["sender", "widget", "people", "import"] as const;
export type SkippableStep = (typeof skippableSteps)[number];

/** E-commerce platforms that have a snippet of their own. */
export const shopPlatforms = ["shopify", "woocommerce", "magento", "prestashop", "html"] as const;
export type ShopPlatform = (typeof shopPlatforms)[number];
