import { z } from "zod";
import { integrationKind, partnerAddress } from "@/lib/integrations/kind";
import { day, filledText } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** Settings of a Magento 2 or Adobe Commerce store, and its secrets. Browser-safe. */

export const authMethods = ["password", "bearer", "oauth1"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The platform's own order states, not the merchant's statuses. */
export const orderStates = [
  "new",
  "pending_payment",
  "payment_review",
  "processing",
  "complete",
  "closed",
  "canceled",
  "holded",
] as const;

/** A list setting. Accepts comma-separated text, as entered on the command line. */
const list = <S extends z.ZodType>(member: S, max: number) =>
  z.preprocess(
    (value) =>
      typeof value === "string"
        ? value
            .split(/[,\s]+/)
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(member).max(max),
  );

const days = z.coerce.number().int().min(0).max(365);
const attributeCode = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, {
  error: encodeReason("not_an_attribute_code"),
});

export const CommerceSettings = z.object({
  orders_url: partnerAddress.meta({
    title: "Order list URL",
    description: "Full URL, such as https://shop.example/rest/default/V1/orders. Its filters are kept.",
  }),
  auth: z.enum(authMethods).meta({
    title: "Authentication",
    description:
      "`oauth1` works on every Magento 2 installation. `bearer` and `password` may have to be enabled first.",
  }),
  store_ids: list(z.coerce.number().int().min(0), 200).default([]).meta({
    title: "Store views",
    description: "Ids of the store views to import orders from; empty for all.",
  }),
  skip_states: list(z.enum(orderStates), orderStates.length)
    .default(["new", "pending_payment", "payment_review", "holded"])
    .meta({
      title: "Skip order states",
      description: "Orders are imported after they leave these states.",
    }),
  order_id: z.enum(["increment_id", "entity_id"]).default("increment_id").meta({
    title: "Order number",
    description:
      "`increment_id` is what customers see, but two store views can use the same one. `entity_id` is unique.",
  }),
  since: day.nullable().default(null).meta({
    title: "Import orders since",
    description: "Orders last changed before this day are skipped; null for none.",
  }),
  transit_days: days.default(2).meta({
    title: "Transit days",
    description: "Days from shipment to delivery.",
  }),
  fallback_days: z
    .preprocess((value) => (value === "" ? null : value), days.nullable().default(7))
    .meta({
      title: "Days without shipment",
      description: "Days from order to delivery for an item without a shipment; null to wait for one.",
    }),
  invite_returned: z
    .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
    .default(false)
    .meta({
      title: "Invite for returned items",
      description:
        "Whether refunded items that were delivered stay reviewable. If not, customers who return something are invited less often, which the public page shows after some time.",
    }),
  bundles: z.enum(["parent", "children"]).default("parent").meta({
    title: "Bundles",
    description: "Whether customers review the bundle or its products.",
  }),
  exclude_types: list(z.string().max(60), 50).default([]).meta({
    title: "Skip product types",
    description: "Product types to leave out, such as virtual or giftcard.",
  }),
  exclude_skus: list(filledText(255), 200).default([]).meta({
    title: "Skip SKUs",
    description: "SKUs to leave out. An asterisk matches any text: `shipping-*`.",
  }),
  requests_per_second: z.coerce.number().min(0.2).max(20).default(4).meta({
    title: "Requests per second",
    description: "Maximum requests per second to the platform.",
  }),
  page_size: z.coerce.number().int().min(1).max(300).default(100).meta({
    title: "Orders per page",
    description: "Page size, reduced automatically if the platform allows fewer.",
  }),
  catalogue: z
    .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
    .default(false)
    .meta({
      title: "Import the catalog",
      description:
        "Once a day, instead of a product feed. Products that the platform no longer has are marked as deleted.",
    }),
  url_suffix: z.string().max(40).default(".html").meta({
    title: "Product URL suffix",
    description: "The platform doesn't report it: copy it from the URL of a product page.",
  }),
  brand_attributes: list(attributeCode, 10).default(["brand", "manufacturer"]).meta({
    title: "Brand attributes",
    description: "Codes of product attributes. The first one with a value is used.",
  }),
  gtin_attributes: list(attributeCode, 10).default(["gtin", "ean", "barcode"]).meta({
    title: "GTIN attributes",
    description: "Codes of product attributes. The first one with a value is used. The platform has no standard one.",
  }),
  mpn_attributes: list(attributeCode, 10).default(["mpn"]).meta({
    title: "MPN attributes",
    description: "Codes of product attributes. The first one with a value is used.",
  }),
});
export type CommerceSettings = z.output<typeof CommerceSettings>;

const secret = (description: string) => filledText(2_000).describe(description);

/** Secrets required by each authentication method. */
export const authSecrets = {
  password: ["username", "password"],
  bearer: ["token"],
  oauth1: ["consumer_key", "consumer_secret", "access_token", "token_secret"],
} as const satisfies Record<AuthMethod, readonly string[]>;

export const commerceKind = integrationKind({
  name: "Magento / Adobe Commerce",
  settings: CommerceSettings,
  secrets: z.object({
    username: secret("For `password`: a user who can read orders.").optional(),
    password: secret("For `password`.").optional(),
    token: secret("For `bearer`: the access token of an integration.").optional(),
    consumer_key: secret("For `oauth1`.").optional(),
    consumer_secret: secret("For `oauth1`.").optional(),
    access_token: secret("For `oauth1`.").optional(),
    token_secret: secret("For `oauth1`.").optional(),
  }),
  addressOf: ({ orders_url }) => orders_url,
  requiredSecrets: ({ auth }) => authSecrets[auth],
});

/** Complete credentials by authentication method. */
export type Credentials = {
  [M in AuthMethod]: { auth: M } & Record<(typeof authSecrets)[M][number], string>;
}[AuthMethod];

/** Secrets that the settings require. They were validated when they were saved. */
export function credentialsOf({ auth }: CommerceSettings, secrets: Record<string, string | undefined>): Credentials {
  const needed = authSecrets[auth].map((name) => [name, secrets[name] ?? ""]);
  return { auth, ...Object.fromEntries(needed) } as Credentials;
}
