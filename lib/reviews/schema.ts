import { z } from "zod";
import { ImageObject, oneName, ResponseObject, statusFilter, timeFilter } from "@/lib/contributions/schema";
import { text, timestamp } from "@/lib/http/fields";
import { rejectReasons } from "@/lib/moderation/schema";

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

/** The decision part of a review body: absent keys leave the review as it is. */
export const ReviewUpdate = z.object({
  review: z.object({
    accepted: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: "True publishes, false rejects, null hands back to moderation." }),
    reject_reason: z
      .enum(rejectReasons)
      .nullable()
      .optional()
      .meta({ description: "Why it is rejected; `unspecified` where nothing is said." }),
    notify: z.boolean().optional().meta({ description: "Mail the author about a rejection." }),
  }),
});
export type ReviewUpdate = z.output<typeof ReviewUpdate>;

export const ReviewId = z.object({ id: text(64) });
