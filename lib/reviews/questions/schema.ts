import { z } from "zod";
import { text, timestamp } from "@/lib/platform/http/fields";
import { ImageObject, mergeAliases, statusFilter, timeFilter } from "@/lib/reviews/contributions/schema";
import { Review } from "@/lib/reviews/reviews/schema";

/** An accepted answer to a question. */
export const AnswerObject = z
  .object({
    author: z.string().meta({ description: "Public name of the answer's author." }),
    date: z.string().meta({ format: "date", description: "Day of the answer." }),
    answer: z.string().meta({ description: "Text of the answer." }),
    lang: z.string().nullable().meta({ description: "Language code." }),
  })
  .meta({ id: "Answer" });

/** A question about a product, published or not. Fields shared with a review have the same types. */
export const Question = z
  .object({
    id: z.string().meta({ description: "Id, 16 hex digits." }),
    ...Review.pick({ author: true }).shape,
    date: z.string().meta({ format: "date", description: "Day of the question." }),
    question: z.string().meta({ description: "Question in one line." }),
    details: z.string().meta({ description: "Details of the question; empty if there are none." }),
    ...Review.pick({ lang: true }).shape,
    product: z.string().nullable().meta({ description: "Name of the product when the question was asked." }),
    ...Review.pick({ product_ids: true, family_ids: true }).shape,
    answers: z.array(AnswerObject).meta({ description: "Published answers, oldest first." }),
    images: z.array(ImageObject).meta({ description: "Images by the author, in their order." }),
    properties: z.record(z.string(), z.unknown()).meta({ description: "Answers to custom questions." }),
    author_email: z.string().nullable().meta({ description: "Email address of the author." }),
    mail_answer: z.boolean().meta({ description: "Whether the author wants an email when the question is answered." }),
    ...Review.pick({ accepted: true, accepted_at: true, reject_reason: true }).shape,
    updated_at: timestamp.meta({ description: "Time of the last change that a reader can see, including answers." }),
    portal_url: z.string().meta({ description: "URL of the question in the portal." }),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

/** Filters of the list. With `updated_after`, rows are sorted by (updated_at, id), else by (created_at, id). */
export const QuestionFilter = z
  .object({ ...timeFilter("Questions"), moderation_status: statusFilter("Questions") })
  .transform(mergeAliases);
export type QuestionFilter = z.output<typeof QuestionFilter>;

export const QuestionId = z.object({ id: text(64) });
