import { z } from "zod";
import { MAX_ITEMS } from "@/lib/orders/values";
import {
  amount,
  blankIsNull,
  clientId,
  cursor,
  day,
  dayOrTime,
  emailAddress,
  filledText,
  limit,
  moment,
  shopId,
  text,
  timestamp,
  webAddress,
} from "@/lib/platform/http/fields";
import { languages } from "@/lib/platform/i18n/languages";
import { encodeReason } from "@/lib/platform/issue";

/** The buyer, as the merchant knows them. `opt_out` is true if an order or the person opted out. */
export const OrderCustomer = z
  .object({
    id: z.string().nullable().meta({
      description: "Id of the customer. Null, like name, email and phone, if the caller may not see customers.",
    }),
    name: z.string().nullable().meta({ description: "Name used in emails." }),
    email: z.string().nullable().meta({ description: "Email address as submitted." }),
    phone: z.string().nullable().meta({ description: "Phone number as submitted." }),
    lang: z.string().nullable().meta({ description: "Language of emails to the customer." }),
    opt_out: z
      .boolean()
      .meta({ description: "Whether the customer opted out of invitations, themselves or by an order." }),
    created_at: timestamp.meta({ description: "Time of the customer's first order." }),
    updated_at: timestamp.meta({ description: "Time when an order last changed the customer." }),
  })
  .meta({ id: "OrderCustomer" });

/** A SKU in an order, with catalog details for those the order didn't include. */
export const OrderItem = z
  .object({
    id: z.string().meta({ description: "SKU of the item." }),
    family_id: z.string().meta({ description: "Product family." }),
    name: z.string().nullable().meta({ description: "Name of the product." }),
    category: z.string().nullable().meta({ description: "Category of the product." }),
    delivery_date: z.string().nullable().meta({
      format: "date",
      description: "Day of delivery, from which the waiting time counts. Null: no invitation.",
    }),
    url: z.string().nullable().meta({ description: "URL of the product page." }),
    image_url: z.string().nullable().meta({ description: "URL of the product image." }),
    properties: z.record(z.string(), z.unknown()).meta({ description: "Properties as submitted with the order." }),
    deleted: z.boolean().meta({ description: "Whether the product is deleted from the catalog." }),
    reviewable: z.boolean().meta({ description: "Whether customers can be invited to review the item." }),
    returned: z
      .boolean()
      .nullable()
      .meta({ description: "Whether the customer returned the item, as submitted. Null: not known." }),
    created_at: timestamp.meta({ description: "Time of creation." }),
    updated_at: timestamp.meta({ description: "Time of the last change." }),
  })
  .meta({ id: "OrderItem" });

export const Order = z
  .object({
    id: z.string().meta({ description: "Store's own order number." }),
    store_name: z.string().nullable().meta({ description: "Branch or site that sold the order." }),
    value: z.number().nullable().meta({ description: "What the order is worth, as submitted. Null: not known." }),
    created_at: timestamp.meta({ description: "Time of creation." }),
    updated_at: timestamp.meta({ description: "Time of the last change to the order, its customer or its items." }),
    customer: OrderCustomer.meta({ description: "Customer who bought the items." }),
    items: z.array(OrderItem).meta({ description: "Items in the order of submission." }),
  })
  .meta({ id: "Order" });
export type Order = z.infer<typeof Order>;

export const ItemInput = z.object({
  id: shopId.meta({ description: "SKU of the item. IDs can also be sent as whole numbers. They are stored as text." }),
  delivery_date: blankIsNull(dayOrTime).meta({
    description:
      "Day of delivery. A time with an offset is converted to the store's time zone. A time without one counts as the written day.",
  }),
  reviewable: z.boolean().nullable().optional().meta({
    description:
      "False cancels the item, so customers aren't invited to review it. True includes it again. When the store's invitations are compared, an item counts as excluded if false was sent after the delivery date and before the first day for an invitation, together with the item's first delivery date, if that is past, or in the first request about the item. If the item was canceled instead, send `delivery_date: null` in the same request, and no date later.",
  }),
  returned: z.boolean().nullable().optional().meta({
    description:
      "Whether the customer returned the item. Doesn't change whether it is asked about: that is compared, so that a dependence shows. Send `false` with the order, and `true` once it was returned.",
  }),
  family_id: blankIsNull(shopId).meta({ description: "Family to use instead of the catalog's." }),
  name: blankIsNull(text(1_000)).meta({
    description: "Name to use instead of the catalog's. Makes an unknown SKU reviewable.",
  }),
  category: blankIsNull(text(1_000)).meta({ description: "Category to use instead of the catalog's." }),
  url: blankIsNull(webAddress).meta({ description: "Product page to use instead of the catalog's." }),
  image_url: blankIsNull(webAddress).meta({ description: "Product image to use instead of the catalog's." }),
  properties: z
    .record(text(255), z.unknown())
    .nullable()
    .optional()
    .meta({ description: "Any further data of the item." }),
});
export type ItemInput = z.output<typeof ItemInput>;

export const CustomerInput = z.object({
  id: shopId.meta({ description: "Store's own unique and stable id of the customer." }),
  name: blankIsNull(text(255)).meta({ description: "Name to use in emails." }),
  email: blankIsNull(emailAddress).meta({
    description: "Address for invitations. Without it, no invitations are sent.",
  }),
  phone: blankIsNull(text(64)).meta({ description: "Phone number. Stored but not used." }),
  lang: blankIsNull(text(35)).meta({ description: "Language of emails to the customer, such as `sv`." }),
  opt_out: z.boolean().nullable().optional().meta({
    description: "True: no invitations. False removes an opt-out set by an order, never one by the customer.",
  }),
});

/** An order as posted. Absent keys keep stored values; null resets them; items are added or updated, never removed. */
export const OrderInput = z.object({
  order: z.object({
    id: shopId.meta({ description: "Store's own unique and stable order number." }),
    store_name: blankIsNull(text(255)).meta({ description: "Branch or site that sold the order." }),
    value: blankIsNull(amount).meta({
      description:
        "What the order is worth, such as its total: at least 0, in the same currency for all orders of the store. Rounded to three decimals. Used only to compare whether invitations depend on it, if `returned` is sent, too.",
    }),
    customer: CustomerInput,
    items: z
      .array(ItemInput)
      .max(MAX_ITEMS)
      .default([])
      .meta({ description: "Items to add or update. Items that are left out are kept." }),
  }),
});
export type OrderInput = z.output<typeof OrderInput>["order"];

export const OrderFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  created_after: moment.optional().meta({ description: "Only orders created at or after this time." }),
  customer_id: z.string().optional().meta({ description: "Only orders of this customer." }),
  customer_email: z
    .string()
    .optional()
    .meta({ description: "Only orders of this email address, ignoring case and surrounding spaces." }),
});
export type OrderFilter = z.output<typeof OrderFilter>;

export const OrderId = z.object({ id: z.string() });

/** An order in the portal's lists. Personal fields are null without access to personal data. */
export const OrderLine = z.object({
  id: z.string(),
  created_at: timestamp,
  store_name: z.string().nullable(),
  customer: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  item_count: z.int(),
  first_item: z.string().nullable().meta({ description: "Name of the first item, or its SKU." }),
  delivery_date: z.string().nullable().meta({ format: "date", description: "Latest delivery date of the items." }),
  invited_at: timestamp.nullable(),
  review_count: z.int(),
});
export type OrderLine = z.infer<typeof OrderLine>;

const items = z
  .array(filledText(255))
  .min(1)
  .max(MAX_ITEMS)
  .optional()
  .meta({ description: "SKUs of the items. Default: all items of the order." });

/** Items of an order to hold or release. */
export const Hold = z.object({
  held: z
    .boolean()
    .meta({ description: "True pauses the items: no invitation asks about them until they are resumed." }),
  until: day.nullable().optional().meta({
    description: "Future day on which the pause ends. Without it, the pause has no end.",
  }),
  items,
});

const HoldState = z
  .object({ held: z.boolean(), until: day.nullable().describe("Day on which the pause ends; null for no end.") })
  .refine(({ held, until }) => held || until === null, {
    error: encodeReason("held_items_only"),
    path: ["until"],
  });

/** State of a hold before and after a change. Swap both to undo it. */
export const HoldChange = z.object({ id: filledText(255), from: HoldState, to: HoldState });
export type HoldChange = z.infer<typeof HoldChange>;

/** Changes of different items. */
const changesOf = <T extends z.ZodType<{ id: string }>>(change: T) =>
  z
    .array(change)
    .min(1)
    .max(MAX_ITEMS)
    .refine((changes) => new Set(changes.map(({ id }) => id)).size === changes.length, {
      error: encodeReason("duplicate_item"),
    });

export const HoldChanges = z.object({ items: changesOf(HoldChange) });

/** Items of an order to exclude from invitations or include again. */
export const Exclusion = z.object({
  excluded: z.boolean().meta({
    description:
      "True excludes the items: no invitation asks about them. False includes them, also those not in the catalog.",
  }),
  items,
});

const ExclusionState = z
  .object({
    reviewable: z.boolean().describe("Whether customers can be invited to review the item."),
    override: z.boolean().nullable().describe("What the store or a person set; null for nothing: the catalog decides."),
  })
  .refine(({ reviewable, override }) => override === null || override === reviewable, {
    error: encodeReason("invalid"),
    path: ["reviewable"],
  });

/** State of an exclusion before and after a change. Swap both to undo it. */
export const ExclusionChange = z.object({ id: filledText(255), from: ExclusionState, to: ExclusionState });
export type ExclusionChange = z.infer<typeof ExclusionChange>;

export const ExclusionChanges = z.object({ items: changesOf(ExclusionChange) });

/** Items of an order to invite for now. */
export const ManualSend = z.object({
  items,
  lang: z.enum(languages).optional().meta({ description: "Language of the sentences. Default: English." }),
});

/** Invitations sent for an order and the reviews written. */
export type OrderHistory = {
  invitations: {
    id: string;
    kind: string;
    status: string;
    sent_at: string | null;
    clicked_at: string | null;
    /** its email, if it is stored instead of sent */
    stored_mail: string | null;
    item_ids: string[];
  }[];
  reviews: { id: string; product_id: string | null; score: number | null; accepted: boolean | null }[];
  /** Held items, until that day or without an end. */
  held: { item_id: string; until: string | null }[];
};
