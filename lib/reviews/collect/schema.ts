import { z } from "zod";
import { emailAddress, filledText, languageCode, textOrBlank, webAddress } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { points } from "@/lib/reviews/reviews/schema";
import { SubmittedImages } from "@/lib/reviews/uploads/schema";

/** Bodies of the public collection API. Schemas don't transform values, since the response returns them as sent. */

/** Optional text; null and blank mean absent. */
const optional = (schema: z.ZodType<string>, maxLength: number) =>
  z
    .string()
    .superRefine((value, context) => {
      if (value.trim() === "") return;
      for (const { message } of schema.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: "custom", message });
      }
    })
    .meta({ maxLength: maxLength })
    .nullish();

const optionalText = (maxLength: number) => textOrBlank(maxLength).nullish();

const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: encodeReason("not_an_ip_address") });

/** Fields that reviews and questions share. `client_id` and `api_key` are checked before the rest. */
const common = {
  client_id: z.string().describe("Store that the submission is for."),
  api_key: z.string().describe("Public key of the store."),
  product_id: optionalText(255).describe(
    "Product id, as in the display's `key`. This or `product_site_id` is required.",
  ),
  product_site_id: optionalText(255).describe("Product family."),
  product_name: optionalText(255).describe("Product name as shown on the page. Default: the catalog's."),
  product_url: optional(webAddress, 2_000).describe("URL of the page with the form."),
  author: filledText(255).describe("Public name or alias of the author."),
  author_email: optional(emailAddress, 320).describe(
    "Email address of the author, never shown. Required if the store verifies addresses.",
  ),
  author_ip: optional(ipAddress, 45).describe("IP address of the author, stored for the store's own checks."),
  images: SubmittedImages.nullish().describe("Unchanged responses of image uploads."),
  custom_questions: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe("Answers by id or name of the custom question."),
  lang: optional(languageCode, 35).describe("Language of the texts. Default: detected."),
  terms: z.boolean().nullish().describe("Whether the author accepted the terms."),
};

export const ReviewBody = z
  .object({
    ...common,
    score: z.int().min(1).max(5).describe("Rating in stars."),
    title: optionalText(255).describe("Title of the review."),
    content: optionalText(60_000).describe("Text of the review."),
    pros: points.describe("What the author liked."),
    cons: points.describe("What the author disliked."),
    recommended: z.boolean().nullish().describe("Whether the author recommends the product."),
  })
  .meta({ id: "CollectedReview" });
export type ReviewBody = z.output<typeof ReviewBody>;

/** Response: the posted fields, without the key. */
export const ReviewEcho = ReviewBody.omit({ api_key: true }).meta({ id: "CollectedReviewEcho" });
export type ReviewEcho = z.output<typeof ReviewEcho>;

export const QuestionBody = z
  .object({
    ...common,
    author_email: common.author_email.describe(
      "Email address of the author, never shown. Required if the store verifies addresses, or if `mail_answer` is `true`.",
    ),
    question: filledText(255).describe("Question in one line."),
    mail_answer: z
      .enum(["true", "false"], {
        error: (issue) =>
          issue.input === undefined ? encodeReason("required") : encodeReason("not_true_or_false_text"),
      })
      .describe("Whether the author wants an email when the question is answered."),
    details: optionalText(60_000).describe("Details of the question."),
  })
  .meta({ id: "CollectedQuestion" });
export type QuestionBody = z.output<typeof QuestionBody>;

/** Response: the posted fields, without the key. */
export const QuestionEcho = QuestionBody.omit({ api_key: true }).meta({ id: "CollectedQuestionEcho" });
export type QuestionEcho = z.output<typeof QuestionEcho>;
