import { z } from "zod";
import { callback, emailAddress, text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** What visitors say about a review: whether it was helpful, or a report. */

export const FeedbackParams = z.object({ token: z.string().regex(/^[\w-]{1,64}$/) });

export const feedbackTypes = ["up", "down", "reset", "bad"] as const;
export type FeedbackType = (typeof feedbackTypes)[number];

export const FeedbackForm = z
  .object({
    type: z.enum(feedbackTypes).meta({
      description:
        "`up`: helpful. `down`: not helpful. `reset`: remove the visitor's vote. `bad`: report incorrect or inappropriate content.",
    }),
    voter_id: text(255)
      .optional()
      .meta({ description: "Id of the visitor. Another call replaces the earlier vote or updates the open report." }),
    comment: text(2_000).optional().meta({ description: "Comment on a report (`bad`)." }),
    email: z
      .union([emailAddress, z.literal("")])
      .optional()
      .meta({ description: "Where to email the outcome of a report (`bad`). Deleted once it is sent." }),
  })
  .refine(({ type, voter_id }) => type !== "reset" || Boolean(voter_id), {
    path: ["voter_id"],
    error: encodeReason("required_to_take_back"),
    when: () => true, // Also if other fields are invalid, so that all errors are returned.
  })
  .meta({ id: "Feedback" });
export type FeedbackForm = z.output<typeof FeedbackForm>;

/** The same as parameters of a link. Without a valid type, its page asks for one. */
export const FeedbackQuery = z.object({
  type: z.enum(feedbackTypes).optional().catch(undefined),
  voter_id: text(255).optional(),
  comment: text(2_000).optional(),
  callback,
});
export type FeedbackQuery = z.output<typeof FeedbackQuery>;
