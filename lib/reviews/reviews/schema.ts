import { z } from "zod";
import { CustomerInput, ItemInput } from "@/lib/orders/schema";
import {
  blankIsNull,
  day,
  emailAddress,
  filledText,
  languageCode,
  shopId,
  text,
  timestamp,
} from "@/lib/platform/http/fields";
import {
  ImageObject,
  mergeAliases,
  ResponseObject,
  statusFilter,
  timeFilter,
} from "@/lib/reviews/contributions/schema";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { SubmittedImages } from "@/lib/reviews/uploads/schema";

/** A customer's review of a product, published or not. */
export const Review = z
  .object({
    id: z.string().meta({ description: "Id, 16 hex digits." }),
    external_id: z.string().nullable().meta({ description: "Your own id of an imported review." }),
    type: z.literal("customer").meta({ description: "Type of the review: written by a customer of the store." }),
    author: z.string().nullable().meta({ description: "Public name of the author." }),
    score: z.int().min(1).max(5).meta({ description: "Rating in stars." }),
    score_max: z.literal(5).meta({ description: "Highest possible score." }),
    date: z.string().meta({ format: "date", description: "Day of the review." }),
    extract: z.string().meta({ description: "Text of the review; empty if there is none." }),
    pros: z.array(z.string()).meta({ description: "What the author liked." }),
    cons: z.array(z.string()).meta({ description: "What the author disliked." }),
    lang: z.string().nullable().meta({ description: "Language code." }),
    verified_buyer: z.boolean().meta({ description: "Whether the review was written for an order." }),
    incentivized: z
      .boolean()
      .optional()
      .meta({ description: "True if the author was offered something for the review. Absent otherwise." }),
    votes_up: z.int().meta({ description: "Number of visitors who found the review helpful." }),
    votes_down: z.int().meta({ description: "Number of visitors who found the review not helpful." }),
    product: z.string().nullable().meta({ description: "Name of the product when the review was written." }),
    responses: z.array(ResponseObject).meta({ description: "Replies by the store, oldest first." }),
    images: z.array(ImageObject).meta({ description: "Images by the author, in their order." }),
    properties: z
      .record(z.string(), z.unknown())
      .meta({ description: "`title`, `recommended` and answers to custom questions." }),
    family_ids: z.array(z.string()).meta({ description: "Families of the product, as in the current catalog." }),
    product_ids: z.array(z.string()).meta({ description: "Ids of the product; empty if only its family is known." }),
    order_id: z.string().nullable().meta({ description: "Order number; null without order data." }),
    customer_id: z.string().nullable().meta({ description: "Customer id; null without order data." }),
    category: z.string().nullable().meta({ description: "Category from the order item or the review." }),
    updated_at: timestamp.meta({ description: "Time of the last change that a reader can see." }),
    accepted: z
      .boolean()
      .nullable()
      .meta({ description: "Status: true for published, false for rejected, null for pending." }),
    accepted_at: timestamp.nullable().meta({ description: "Time of publication; null unless published." }),
    reject_reason: z.string().nullable().meta({ description: "Reason for rejection; null unless rejected." }),
    verified_email: z.boolean().meta({ description: "Whether the author confirmed the email address with a link." }),
    author_email: z
      .string()
      .nullable()
      .meta({ description: "Email address of the author. Default: the order customer's." }),
    portal_url: z.string().meta({ description: "URL of the review in the portal." }),
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** Filters of the list. With `updated_after`, rows are sorted by (updated_at, id), else by (created_at, id). */
export const ReviewFilter = z
  .object({
    ...timeFilter("Reviews"),
    order_id: z.string().optional().meta({ description: "Only reviews of this order." }),
    customer_id: z.string().optional().meta({ description: "Only reviews by this customer." }),
    moderation_status: statusFilter("Reviews"),
  })
  .transform(mergeAliases);
export type ReviewFilter = z.output<typeof ReviewFilter>;

/** Entries of pros or cons: the API documents 2,000 characters each; the number of entries is our limit. */
export const points = z.array(text(2_000)).max(100).nullish();

const ReviewOrder = z.object({
  id: blankIsNull(shopId).meta({ description: "Store's own order number." }),
  store_name: blankIsNull(text(255)).meta({ description: "Branch or site that sold the order." }),
  customer: CustomerInput.nullable().optional().meta({
    description: "Customer who bought the item. With `id`, makes the author a verified buyer.",
  }),
  item: ItemInput.extend({
    id: blankIsNull(shopId).meta({ description: "SKU of the product. This or `family_id` is required." }),
    category: ItemInput.shape.category.meta({ description: "Category, stored with the review and the order's item." }),
    name: ItemInput.shape.name.meta({ description: "Name, shown as `product`. Default: the catalog's." }),
  })
    .optional()
    .meta({ description: "Product that the review is about." }),
});

/** A review as posted to the management API: absent keys keep stored values. */
export const ReviewInput = z.object({
  external_id: blankIsNull(filledText(255)).meta({
    description: "Your own id of the review. If it exists, that review is updated.",
  }),
  order: ReviewOrder.optional().meta({
    description:
      "Order in which the product was bought, with one item. Required for a new review, with at least `item.id` or `item.family_id`. With an id and a customer, the order is stored as by `POST /v1/orders`, but leads to no invitation.",
  }),
  author: filledText(255).optional().meta({ description: "Public name of the author. Required for a new review." }),
  author_email: blankIsNull(emailAddress).meta({
    description: "Email address of the author, never shown to visitors. Default: the order customer's.",
  }),
  score: z.int().min(1).max(5).optional().meta({ description: "Rating in stars. Required for a new review." }),
  date: blankIsNull(day).meta({ description: "Day of the review, at most tomorrow. Default: today." }),
  title: blankIsNull(text(255)).meta({ description: "Title of the review, returned as `properties.title`." }),
  extract: text(60_000).nullable().optional().meta({ description: "Text of the review." }),
  pros: points.meta({ description: "What the author liked. Blank entries are ignored." }),
  cons: points.meta({ description: "What the author disliked. Blank entries are ignored." }),
  recommended: z
    .boolean()
    .nullable()
    .optional()
    .meta({ description: "Whether the author recommends the product, returned as `properties.recommended`." }),
  lang: blankIsNull(languageCode).meta({ description: "Language of the texts. Default: detected." }),
  incentivized: z.boolean().optional().meta({
    description:
      "Whether the author was offered something for the review, such as a voucher. Shown with the review, and each change is in the store's log. Default for a new review: false.",
  }),
  images: SubmittedImages.nullable().optional().meta({
    description:
      "Unchanged responses of image uploads. Replaces the list. Tokens of images that the review already has stay valid.",
  }),
  custom_questions: z.record(z.string(), z.unknown()).nullable().optional().meta({
    description: "Answers by id or name of the custom question. Replaces all answers.",
  }),
  accepted: z.boolean().nullable().optional().meta({
    description:
      "True publishes, false rejects, null leaves the review to the store's moderation. Default for a new review: null.",
  }),
  reject_reason: z.enum(rejectReasons).nullable().optional().meta({
    description: "Reason for rejection. Only with `accepted: false`. Default: `unspecified`.",
  }),
});
export type ReviewInput = z.output<typeof ReviewInput>;

export const ReviewPost = z.object({ review: ReviewInput });

export const ReviewUpdate = z.object({
  review: ReviewInput.extend({
    notify: z.boolean().optional().meta({ description: "Whether to email the author about a rejection." }),
  }),
});
export type ReviewUpdate = z.output<typeof ReviewUpdate>;

export const ReviewId = z.object({ id: text(64) });
