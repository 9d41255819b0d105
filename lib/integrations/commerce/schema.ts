import { z } from "zod";
import { integrationKind, partnerAddress } from "@/lib/integrations/kind";
import { day, filledText } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";

/** What a client sets of its shop on Magento 2 or Adobe Commerce, and the secrets kept beside it. Browser-safe. */

export const authMethods = ["password", "bearer", "oauth1"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The platform's own vocabulary of an order's state; a merchant's statuses are something else. */
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

/** A setting that is a list may come as text with commas, as the command line gives it. */
const list = <S extends z.ZodType>(member: S, most: number) =>
  z.preprocess(
    (value) =>
      typeof value === "string"
        ? value
            .split(/[,\s]+/)
            .map((part) => part.trim())
            .filter(Boolean)
        : value,
    z.array(member).max(most),
  );

const days = z.coerce.number().int().min(0).max(365);
const attributeCode = z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, {
  error: because("not_an_attribute_code"),
});

export const CommerceSettings = z.object({
  orders_url: partnerAddress.meta({
    title: "Address of the order list",
    description:
      "The whole address, such as https://shop.example/rest/default/V1/orders. Filters in it are kept and added to.",
  }),
  auth: z.enum(authMethods).meta({
    title: "How it signs in",
    description: "`oauth1` works on every shop as it is delivered; `bearer` and `password` may have to be switched on.",
  }),
  store_ids: list(z.coerce.number().int().min(0), 200).default([]).meta({
    title: "Stores",
    description: "Ids of the store views whose orders belong to this client; empty: all of them.",
  }),
  skip_states: list(z.enum(orderStates), orderStates.length)
    .default(["new", "pending_payment", "payment_review", "holded"])
    .meta({
      title: "Order states to wait for",
      description: "Orders in these states are taken when they have left them.",
    }),
  order_id: z.enum(["increment_id", "entity_id"]).default("increment_id").meta({
    title: "Order number",
    description: "`increment_id` is what customers know; two stores may use the same one, `entity_id` never repeats.",
  }),
  since: day.nullable().default(null).meta({
    title: "Orders since",
    description: "Orders changed before this day are left out; null: all of them.",
  }),
  transit_days: days.default(2).meta({
    title: "Days on the way",
    description: "From a shipment to its delivery.",
  }),
  fallback_days: z
    .preprocess((value) => (value === "" ? null : value), days.nullable().default(7))
    .meta({
      title: "Days without a shipment",
      description:
        "An item that has no shipment counts as delivered so many days after the order; null: it waits for one.",
    }),
  bundles: z.enum(["parent", "children"]).default("parent").meta({
    title: "Bundles",
    description: "Whether the bundle is reviewed or what is in it.",
  }),
  exclude_types: list(z.string().max(60), 50).default([]).meta({
    title: "Product types left out",
    description: "Such as virtual or giftcard.",
  }),
  exclude_skus: list(filledText(255), 200).default([]).meta({
    title: "SKUs left out",
    description: "A star stands for anything: `shipping-*`.",
  }),
  requests_per_second: z.coerce.number().min(0.2).max(20).default(4).meta({
    title: "Requests per second",
    description: "The shop is asked no more often than this.",
  }),
  page_size: z.coerce.number().int().min(1).max(300).default(100).meta({
    title: "Orders a page",
    description: "Made smaller by itself where the shop allows fewer.",
  }),
  catalogue: z
    .preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
    .default(false)
    .meta({
      title: "Import the catalogue",
      description:
        "Once a day, in place of a product feed. Products that the shop does not have any more become deleted.",
    }),
  url_suffix: z.string().max(40).default(".html").meta({
    title: "End of product addresses",
    description: "The shop does not tell it: look at the address of a product's page.",
  }),
  brand_attributes: list(attributeCode, 10).default(["brand", "manufacturer"]).meta({
    title: "Attributes of the brand",
    description: "Codes of product attributes; the first that says something counts.",
  }),
  gtin_attributes: list(attributeCode, 10).default(["gtin", "ean", "barcode"]).meta({
    title: "Attributes of the GTIN",
    description: "Codes of product attributes; the first that says something counts. The platform has none of its own.",
  }),
  mpn_attributes: list(attributeCode, 10).default(["mpn"]).meta({
    title: "Attributes of the maker's number",
    description: "Codes of product attributes; the first that says something counts.",
  }),
});
export type CommerceSettings = z.output<typeof CommerceSettings>;

const secret = (description: string) => filledText(2_000).describe(description);

/** Which secrets each way of signing in needs. */
export const authSecrets = {
  password: ["username", "password"],
  bearer: ["token"],
  oauth1: ["consumer_key", "consumer_secret", "access_token", "token_secret"],
} as const satisfies Record<AuthMethod, readonly string[]>;

export const commerceKind = integrationKind({
  name: "E-commerce platform",
  settings: CommerceSettings,
  secrets: z.object({
    username: secret("Of `password`: a user of the shop that may read orders.").optional(),
    password: secret("Of `password`.").optional(),
    token: secret("Of `bearer`: the access token of an integration.").optional(),
    consumer_key: secret("Of `oauth1`.").optional(),
    consumer_secret: secret("Of `oauth1`.").optional(),
    access_token: secret("Of `oauth1`.").optional(),
    token_secret: secret("Of `oauth1`.").optional(),
  }),
  addressOf: ({ orders_url }) => orders_url,
  needs: ({ auth }) => authSecrets[auth],
});

/** How to get in, whole. */
export type Credentials = {
  [M in AuthMethod]: { auth: M } & Record<(typeof authSecrets)[M][number], string>;
}[AuthMethod];

/** The secrets that the settings need; they were judged when they were kept. */
export function credentialsOf({ auth }: CommerceSettings, secrets: Record<string, string | undefined>): Credentials {
  const needed = authSecrets[auth].map((name) => [name, secrets[name] ?? ""]);
  return { auth, ...Object.fromEntries(needed) } as Credentials;
}
