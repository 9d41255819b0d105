import { z } from "zod";
import { text, timestamp } from "@/lib/platform/http/fields";
import { ImageObject, oneName, statusFilter, timeFilter } from "@/lib/reviews/contributions/schema";
import { Review } from "@/lib/reviews/reviews/schema";

/** An accepted answer to a question. */
export const AnswerObject = z
  .object({
    author: z.string().meta({ description: "The public name of who answers." }),
    date: z.string().meta({ format: "date", description: "Day of the answer." }),
    answer: z.string().meta({ description: "The text." }),
    lang: z.string().nullable().meta({ description: "Language code." }),
  })
  .meta({ id: "Answer" });

/** A question about a product, published or not. What it shares with a review is of the same type. */
export const Question = z
  .object({
    id: z.string().meta({ description: "16 hex digits." }),
    ...Review.pick({ author: true }).shape,
    date: z.string().meta({ format: "date", description: "Day of the question." }),
    question: z.string().meta({ description: "The question in a line." }),
    details: z.string().meta({ description: "The rest of it; empty where there is none." }),
    ...Review.pick({ lang: true }).shape,
    product: z.string().nullable().meta({ description: "The product's name when the question was asked." }),
    ...Review.pick({ product_ids: true, family_ids: true }).shape,
    answers: z.array(AnswerObject).meta({ description: "Accepted answers, oldest first." }),
    images: z.array(ImageObject).meta({ description: "What the author sent, in order." }),
    properties: z.record(z.string(), z.unknown()).meta({ description: "Answers to the client's own questions." }),
    author_email: z.string().nullable().meta({ description: "The author's." }),
    mail_answer: z.boolean().meta({ description: "The author wishes to be mailed when it is answered." }),
    ...Review.pick({ accepted: true, accepted_at: true, reject_reason: true }).shape,
    updated_at: timestamp.meta({ description: "Moves with everything a reader can see, answers too." }),
    portal_url: z.string().meta({ description: "The question in the portal." }),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

/** Filters of the list. With `updated_after` rows come by (updated_at, id), else by (created_at, id). */
export const QuestionFilter = z
  .object({ ...timeFilter("Questions"), moderation_status: statusFilter("Questions") })
  .transform(oneName);
export type QuestionFilter = z.output<typeof QuestionFilter>;

export const QuestionId = z.object({ id: text(64) });
