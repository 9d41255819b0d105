import { z } from "zod";
import { limit, moment, text, timestamp } from "@/lib/http/fields";
import { moderationStatuses, rejectReasons } from "@/lib/moderation/schema";

/** An image of a review: the stored original and its three sizes, never enlarged. */
export const ImageObject = z
  .object({
    token: z.string(),
    format: z.string(),
    width: z.int(),
    height: z.int(),
    icon: z.string(),
    icon_width: z.int(),
    icon_height: z.int(),
    medium: z.string(),
    medium_width: z.int(),
    medium_height: z.int(),
    large: z.string(),
    large_width: z.int(),
    large_height: z.int(),
  })
  .meta({ id: "Image" });
export type ImageObject = z.infer<typeof ImageObject>;

/** The seller's public reply. */
export const ReviewResponse = z
  .object({
    author: z.string(),
    date: z.string(),
    extract: z.string(),
    lang: z.string().nullable(),
    updated_at: timestamp,
  })
  .meta({ id: "Response" });

/** A customer's review of a product, published or not. */
export const Review = z
  .object({
    id: z.string(),
    external_id: z.string().nullable(),
    type: z.literal("customer"),
    author: z.string().nullable(),
    score: z.int().min(1).max(5),
    score_max: z.literal(5),
    date: z.string().meta({ format: "date" }),
    extract: z.string(),
    pros: z.array(z.string()),
    cons: z.array(z.string()),
    lang: z.string().nullable(),
    verified_buyer: z.boolean(),
    votes_up: z.int(),
    votes_down: z.int(),
    product: z.string().nullable(),
    responses: z.array(ReviewResponse),
    images: z.array(ImageObject),
    properties: z.record(z.string(), z.unknown()),
    family_ids: z.array(z.string()),
    product_ids: z.array(z.string()),
    order_id: z.string().nullable(),
    customer_id: z.string().nullable(),
    category: z.string().nullable(),
    updated_at: timestamp,
    accepted: z.boolean().nullable(),
    accepted_at: timestamp.nullable(),
    reject_reason: z.string().nullable(),
    verified_email: z.boolean(),
    author_email: z.string().nullable(),
    portal_url: z.string(),
  })
  .meta({ id: "Review" });
export type Review = z.infer<typeof Review>;

/** Filters of the list. With `updated_after` rows come by (updated_at, id), else by (created_at, id). */
export const ReviewFilter = z
  .object({
    client_id: z.string().optional(),
    limit,
    after: z.string().optional(),
    updated_after: moment.optional(),
    update_after: moment.optional().meta({ description: "Another name of updated_after." }),
    created_after: moment.optional(),
    order_id: z.string().optional(),
    customer_id: z.string().optional(),
    moderation_status: z.enum(moderationStatuses).optional(),
  })
  .transform(({ update_after, ...rest }) => ({ ...rest, updated_after: rest.updated_after ?? update_after }));
export type ReviewFilter = z.output<typeof ReviewFilter>;

/** The decision part of a review body: absent keys leave the review as it is. */
export const ReviewUpdate = z.object({
  review: z.object({
    accepted: z.boolean().nullable().optional(),
    reject_reason: z.enum(rejectReasons).nullable().optional(),
    notify: z.boolean().optional().meta({ description: "Mail the author about a rejection." }),
  }),
});
export type ReviewUpdate = z.output<typeof ReviewUpdate>;

export const ReviewId = z.object({ id: text(64) });
