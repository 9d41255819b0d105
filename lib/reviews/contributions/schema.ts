import { z } from "zod";
import { clientId, cursor, limit, moment, timestamp } from "@/lib/platform/http/fields";
import { type ModerationStatus, moderationStatuses } from "@/lib/reviews/decisions/schema";

/**
 * What reviews, seller reviews and questions have in common: they have authors, are moderated, and are listed and
 * synced by the store's systems.
 */
export type ContributionTable = "reviews" | "seller_reviews" | "questions";

/** An image of a contribution: the stored original and its three sizes, never enlarged. */
export const ImageObject = z
  .object({
    token: z.string().meta({ description: "Token of the upload. Stays valid in `images` of an update." }),
    format: z.string().meta({ description: "Format of the stored file." }),
    width: z.int().meta({ description: "Width of the stored original in pixels." }),
    height: z.int().meta({ description: "Height of the stored original in pixels." }),
    icon: z.string().meta({ description: "URL of a 100 px square." }),
    icon_width: z.int().meta({ description: "Width in pixels." }),
    icon_height: z.int().meta({ description: "Height in pixels." }),
    medium: z.string().meta({ description: "URL of a version of at most 1600 px." }),
    medium_width: z.int().meta({ description: "Width in pixels." }),
    medium_height: z.int().meta({ description: "Height in pixels." }),
    large: z.string().meta({ description: "URL of a version of at most 3840 px." }),
    large_width: z.int().meta({ description: "Width in pixels." }),
    large_height: z.int().meta({ description: "Height in pixels." }),
  })
  .meta({ id: "Image" });
export type ImageObject = z.infer<typeof ImageObject>;

/** The seller's public reply. */
export const ResponseObject = z
  .object({
    author: z.string().meta({ description: "Author of the reply." }),
    date: z.string().meta({ description: "Day of the reply." }),
    extract: z.string().meta({ description: "Text of the reply." }),
    lang: z.string().nullable().meta({ description: "Language code." }),
    updated_at: timestamp.meta({ description: "Time of the last change." }),
  })
  .meta({ id: "Response" });

/** Filters of every list of contributions. `rows` is their name in descriptions: `Reviews`. */
export const timeFilter = (rows: string) => ({
  client_id: clientId,
  limit,
  after: cursor,
  updated_after: moment.optional().meta({
    description: `${rows} changed at or after this time, or in the five seconds before it, sorted by change.`,
  }),
  update_after: moment.optional().meta({ description: "Alias of `updated_after`." }),
  created_after: moment.optional().meta({
    description: `${rows} created at or after this time. With \`updated_after\`, a page can have few rows or none and still have a next one.`,
  }),
});

/** The `moderation_status` filter of a list. */
export const statusFilter = (rows: string) =>
  z
    .enum(moderationStatuses)
    .optional()
    .meta({
      description: `${rows} in this state, see \`accepted\`. A page can have few rows or none and still have a next one.`,
    });

/** Merges a parameter's two names into one. */
export const mergeAliases = <F extends { updated_after?: string; update_after?: string }>({
  update_after,
  ...rest
}: F) => ({
  ...rest,
  updated_after: rest.updated_after ?? update_after,
});

/** A validated filter: with `updated_after`, rows are sorted by (updated_at, id), else by (created_at, id). */
export type ContributionFilter = {
  limit: number;
  after?: string;
  updated_after?: string;
  created_after?: string;
  order_id?: string;
  customer_id?: string;
  moderation_status?: ModerationStatus;
};
