import { z } from "zod";
import { MOST_ITEMS } from "@/lib/orders/values";
import {
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
import { because } from "@/lib/platform/issue";

/** The buyer, as the merchant knows them. `opt_out` is true whether an order or the person said so. */
export const OrderCustomer = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: "Null, like name, address and phone, for who may not see customers." }),
    name: z.string().nullable().meta({ description: "As mails greet them." }),
    email: z.string().nullable().meta({ description: "As it was given." }),
    phone: z.string().nullable().meta({ description: "As it was given." }),
    lang: z.string().nullable().meta({ description: "Language of mails to them." }),
    opt_out: z.boolean().meta({ description: "Gets no invitations, whether an order or the person said so." }),
    created_at: timestamp.meta({ description: "When an order first named them." }),
    updated_at: timestamp.meta({ description: "When an order last changed them." }),
  })
  .meta({ id: "OrderCustomer" });

/** A SKU in an order, with the catalogue's details where the order gave none of its own. */
export const OrderItem = z
  .object({
    id: z.string().meta({ description: "The SKU." }),
    family_id: z.string().meta({ description: "The product family." }),
    name: z.string().nullable().meta({ description: "The product's." }),
    category: z.string().nullable().meta({ description: "The product's." }),
    delivery_date: z
      .string()
      .nullable()
      .meta({ format: "date", description: "From this day on the waiting time counts. Null: never invited." }),
    url: z.string().nullable().meta({ description: "The product's page." }),
    image_url: z.string().nullable().meta({ description: "The product's picture." }),
    properties: z.record(z.string(), z.unknown()).meta({ description: "As the order gave them." }),
    deleted: z.boolean().meta({ description: "The product is deleted in the catalogue now." }),
    reviewable: z.boolean().meta({ description: "Takes part in review collection." }),
    created_at: timestamp.meta({ description: "When it was first posted." }),
    updated_at: timestamp.meta({ description: "When a post last changed it." }),
  })
  .meta({ id: "OrderItem" });

export const Order = z
  .object({
    id: z.string().meta({ description: "The shop's own number of the order." }),
    store_name: z.string().nullable().meta({ description: "Which of the shop's stores sold it." }),
    created_at: timestamp.meta({ description: "When it was first posted." }),
    updated_at: timestamp.meta({ description: "When a post last changed it, its customer or one of its items." }),
    customer: OrderCustomer.meta({ description: "The buyer." }),
    items: z.array(OrderItem).meta({ description: "In the order they were posted." }),
  })
  .meta({ id: "Order" });
export type Order = z.infer<typeof Order>;

export const ItemInput = z.object({
  id: shopId.meta({ description: "The SKU. A whole number is taken as its text, in every id." }),
  delivery_date: blankIsNull(dayOrTime).meta({
    description:
      "The day it reaches the customer. Of a time with an offset the day in the store's time zone counts, of one without the day that is written.",
  }),
  reviewable: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: "False cancels the item, true takes it (back) into review collection." }),
  family_id: blankIsNull(shopId).meta({ description: "Instead of the catalogue's." }),
  name: blankIsNull(text(1_000)).meta({ description: "Instead of the catalogue's. Makes an unknown SKU reviewable." }),
  category: blankIsNull(text(1_000)).meta({ description: "Instead of the catalogue's." }),
  url: blankIsNull(webAddress).meta({ description: "Instead of the catalogue's." }),
  image_url: blankIsNull(webAddress).meta({ description: "Instead of the catalogue's." }),
  properties: z
    .record(text(255), z.unknown())
    .nullable()
    .optional()
    .meta({ description: "Whatever the shop wants to keep with it." }),
});
export type ItemInput = z.output<typeof ItemInput>;

export const CustomerInput = z.object({
  id: shopId.meta({ description: "The shop's own, unique and stable id of the customer." }),
  name: blankIsNull(text(255)).meta({ description: "As mails shall greet them." }),
  email: blankIsNull(emailAddress).meta({ description: "Where invitations go; without one, none are sent." }),
  phone: blankIsNull(text(64)).meta({ description: "Kept, not used." }),
  lang: blankIsNull(text(35)).meta({ description: "Language of mails to them, such as `sv`." }),
  opt_out: z.boolean().nullable().optional().meta({
    description: "True: no invitations. False takes back what an order said, never what the person said.",
  }),
});

/** An order as it is posted. Absent keys leave what is stored; null resets it; items are added or updated, never removed. */
export const OrderInput = z.object({
  order: z.object({
    id: shopId.meta({ description: "The shop's own, unique and stable number of the order." }),
    store_name: blankIsNull(text(255)).meta({ description: "Which of the shop's stores sold it." }),
    customer: CustomerInput,
    items: z
      .array(ItemInput)
      .max(MOST_ITEMS)
      .default([])
      .meta({ description: "Lines to add or update; those left out stay." }),
  }),
});
export type OrderInput = z.output<typeof OrderInput>["order"];

export const OrderFilter = z.object({
  client_id: clientId,
  limit,
  after: cursor,
  created_after: moment.optional().meta({ description: "Orders created then or later." }),
  customer_id: z.string().optional().meta({ description: "Orders of this customer only." }),
  customer_email: z.string().optional().meta({ description: "In any spelling: blanks and capitals do not count." }),
});
export type OrderFilter = z.output<typeof OrderFilter>;

export const OrderId = z.object({ id: z.string() });

/** An order as a line of the portal's lists. Personal fields are null for those who may not see people. */
export const OrderLine = z.object({
  id: z.string(),
  created_at: timestamp,
  store_name: z.string().nullable(),
  customer: z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() }).nullable(),
  item_count: z.int(),
  first_item: z.string().nullable().meta({ description: "The name, or else the SKU, of the first item." }),
  delivery_date: z.string().nullable().meta({ format: "date", description: "The last delivery of its items." }),
  invited_at: timestamp.nullable(),
  review_count: z.int(),
});
export type OrderLine = z.infer<typeof OrderLine>;

const items = z
  .array(filledText(255))
  .min(1)
  .max(MOST_ITEMS)
  .optional()
  .meta({ description: "Their SKUs; all of the order where it is left out." });

/** Which items of an order are held back, or let go again. */
export const Hold = z.object({
  held: z.boolean().meta({ description: "True holds back: nobody is asked about the items until it is taken back." }),
  until: day.nullable().optional().meta({
    description: "The day on which they may be asked for again, one to come; without it they are held back for good.",
  }),
  items,
});

const HoldState = z
  .object({ held: z.boolean(), until: day.nullable().describe("The day on which it is over; null: for good.") })
  .refine(({ held, until }) => held || until === null, {
    error: because("held_items_only"),
    path: ["until"],
  });

/** How an item was held back, and how it is now. Put the other way round it is what takes that back. */
export const HoldChange = z.object({ id: filledText(255), from: HoldState, to: HoldState });
export type HoldChange = z.infer<typeof HoldChange>;

export const HoldChanges = z.object({
  items: z
    .array(HoldChange)
    .min(1)
    .max(MOST_ITEMS)
    .refine((changes) => new Set(changes.map(({ id }) => id)).size === changes.length, {
      error: because("duplicate_item"),
    }),
});

/** Which items of an order are to be asked for now. */
export const ByHand = z.object({
  items,
  lang: z.enum(languages).optional().meta({ description: "The language of the sentences; English without." }),
});

/** What came of an order: the mails that asked for its items and the reviews that were written. */
export type OrderStory = {
  invitations: {
    id: string;
    kind: string;
    status: string;
    sent_at: string | null;
    clicked_at: string | null;
    item_ids: string[];
  }[];
  reviews: { id: string; product_id: string | null; score: number; accepted: boolean | null }[];
  /** items that a person holds back: until that day, or for good */
  held: { item_id: string; until: string | null }[];
};
