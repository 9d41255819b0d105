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
import { ImageObject, oneName, ResponseObject, statusFilter, timeFilter } from "@/lib/reviews/contributions/schema";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { SubmittedImages } from "@/lib/reviews/uploads/schema";

/** A customer's review of a product, published or not. */
export const Review = z
  .object({
    id: z.string().meta({ description: "16 hex digits." }),
    external_id: z.string().nullable().meta({ description: "The client's own id of an imported review." }),
    type: z.literal("customer").meta({ description: "Written by a customer of the client." }),
    author: z.string().nullable().meta({ description: "The public name." }),
    score: z.int().min(1).max(5).meta({ description: "Stars." }),
    score_max: z.literal(5).meta({ description: "What the score is out of." }),
    date: z.string().meta({ format: "date", description: "Day of the review." }),
    extract: z.string().meta({ description: "The text; empty where there is none." }),
    pros: z.array(z.string()).meta({ description: "What the author liked." }),
    cons: z.array(z.string()).meta({ description: "What the author did not." }),
    lang: z.string().nullable().meta({ description: "Language code." }),
    verified_buyer: z.boolean().meta({ description: "Written from an order." }),
    votes_up: z.int().meta({ description: "Visitors who found it helpful." }),
    votes_down: z.int().meta({ description: "Visitors who did not." }),
    product: z.string().nullable().meta({ description: "The product's name when the review was written." }),
    responses: z.array(ResponseObject).meta({ description: "The seller's replies, oldest first." }),
    images: z.array(ImageObject).meta({ description: "What the author sent, in order." }),
    properties: z
      .record(z.string(), z.unknown())
      .meta({ description: "`title`, `recommended` and answers to custom questions." }),
    family_ids: z.array(z.string()).meta({ description: "Follow the catalogue." }),
    product_ids: z
      .array(z.string())
      .meta({ description: "The product it is about; empty where only its family is known." }),
    order_id: z.string().nullable().meta({ description: "Null without order data." }),
    customer_id: z.string().nullable().meta({ description: "Null without order data." }),
    category: z.string().nullable().meta({ description: "As the order item or the review gave it." }),
    updated_at: timestamp.meta({ description: "Moves with everything a reader can see." }),
    accepted: z.boolean().nullable().meta({ description: "True: accepted. False: rejected. Null: pending." }),
    accepted_at: timestamp.nullable().meta({ description: "Null unless accepted." }),
    reject_reason: z.string().nullable().meta({ description: "Null unless rejected." }),
    verified_email: z.boolean().meta({ description: "A link mailed to the author's address was used." }),
    author_email: z.string().nullable().meta({ description: "The author's, else the order customer's." }),
    portal_url: z.string().meta({ description: "The review in the portal." }),
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** Filters of the list. With `updated_after` rows come by (updated_at, id), else by (created_at, id). */
export const ReviewFilter = z
  .object({
    ...timeFilter("Reviews"),
    order_id: z.string().optional().meta({ description: "Reviews of this order only." }),
    customer_id: z.string().optional().meta({ description: "Reviews of this customer only." }),
    moderation_status: statusFilter("Reviews"),
  })
  .transform(oneName);
export type ReviewFilter = z.output<typeof ReviewFilter>;

/** Entries of pros or cons: 2,000 characters each, as the interface documents; their number is our limit. */
export const points = z.array(text(2_000)).max(100).nullish();

const ReviewOrder = z.object({
  id: blankIsNull(shopId).meta({ description: "The shop's own number of the order." }),
  store_name: blankIsNull(text(255)).meta({ description: "Which of the shop's stores sold it." }),
  customer: CustomerInput.nullable().optional().meta({
    description: "The buyer. Together with `id` it makes the author a verified buyer.",
  }),
  item: ItemInput.extend({
    id: blankIsNull(shopId).meta({ description: "The SKU. This or `family_id` is needed." }),
    category: ItemInput.shape.category.meta({ description: "Kept with the review and with the order's item." }),
    name: ItemInput.shape.name.meta({ description: "Shown as `product`; the catalogue's where it is left out." }),
  })
    .optional()
    .meta({ description: "What the review is about." }),
});

/** A review as the management API takes it: absent keys leave what is stored. */
export const ReviewInput = z.object({
  external_id: blankIsNull(filledText(255)).meta({
    description: "Your own id of the review. One that exists already is updated instead of a second one being made.",
  }),
  order: ReviewOrder.optional().meta({
    description:
      "Where the product was bought, one item of it. Needed for a new review, with at least `item.id` or `item.family_id`. With an id and a customer the order is stored as by `POST /v1/orders`, but leads to no invitation.",
  }),
  author: filledText(255).optional().meta({ description: "Public name. Needed for a new review." }),
  author_email: blankIsNull(emailAddress).meta({
    description: "Never shown to visitors; the order customer's where it is left out.",
  }),
  score: z.int().min(1).max(5).optional().meta({ description: "Stars. Needed for a new review." }),
  date: blankIsNull(day).meta({ description: "Day of the review, at most tomorrow. Today where it is left out." }),
  title: blankIsNull(text(255)).meta({ description: "Comes back as `properties.title`." }),
  extract: text(60_000).nullable().optional().meta({ description: "The text." }),
  pros: points.meta({ description: "What the author liked. Blank entries are left out." }),
  cons: points.meta({ description: "What the author did not. Blank entries are left out." }),
  recommended: z.boolean().nullable().optional().meta({ description: "Comes back as `properties.recommended`." }),
  lang: blankIsNull(languageCode).meta({ description: "Language of the texts; detected where it is left out." }),
  images: SubmittedImages.nullable().optional().meta({
    description: "Answers of uploads, unchanged. Replaces the list; tokens that are of this review already stay valid.",
  }),
  custom_questions: z.record(z.string(), z.unknown()).nullable().optional().meta({
    description: "Answers by id or name of the client's questions. Replaces all of them.",
  }),
  accepted: z.boolean().nullable().optional().meta({
    description:
      "True publishes, false rejects, null hands the review to the client's moderation, as does leaving it out of a new one.",
  }),
  reject_reason: z.enum(rejectReasons).nullable().optional().meta({
    description: "Why it is rejected; `unspecified` where nothing is said. Goes with a rejection only.",
  }),
});
export type ReviewInput = z.output<typeof ReviewInput>;

export const ReviewPost = z.object({ review: ReviewInput });

export const ReviewUpdate = z.object({
  review: ReviewInput.extend({
    notify: z.boolean().optional().meta({ description: "Mail the author about a rejection." }),
  }),
});
export type ReviewUpdate = z.output<typeof ReviewUpdate>;

export const ReviewId = z.object({ id: text(64) });
