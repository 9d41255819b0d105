import { z } from "zod";
import { emailAddress, filledText, languageCode, textOrBlank, webAddress } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";
import { points } from "@/lib/reviews/reviews/schema";
import { SubmittedImages } from "@/lib/reviews/uploads/schema";

/** Bodies of the public collection interface. They are echoed as they were sent, so nothing here changes a value. */

/** Something told as text that may be left out; null and blank mean the same. */
const optional = (schema: z.ZodType<string>, most: number) =>
  z
    .string()
    .superRefine((value, context) => {
      if (value.trim() === "") return;
      for (const { message } of schema.safeParse(value).error?.issues ?? []) {
        context.addIssue({ code: "custom", message });
      }
    })
    .meta({ maxLength: most })
    .nullish();

const optionalText = (most: number) => textOrBlank(most).nullish();

const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: because("not_an_ip_address") });

/** What reviews and questions share. `client_id` and `api_key` are judged before the rest. */
const common = {
  client_id: z.string().describe("The client."),
  api_key: z.string().describe("Its public key."),
  product_id: optionalText(255).describe("As used by the display's `key`. This or `product_site_id` is required."),
  product_site_id: optionalText(255).describe("The product family."),
  product_name: optionalText(255).describe("As the page shows it; the catalogue's where it is left out."),
  product_url: optional(webAddress, 2_000).describe("The page it was written on."),
  author: filledText(255).describe("Published name or alias."),
  author_email: optional(emailAddress, 320).describe("Never shown. Required where the client wants it confirmed."),
  author_ip: optional(ipAddress, 45).describe("Kept for the client's own checks."),
  images: SubmittedImages.nullish().describe("Answers of uploads, unchanged."),
  custom_questions: z.record(z.string(), z.unknown()).nullish().describe("Answers by question id or name."),
  lang: optional(languageCode, 35).describe("Language of the texts; detected when left out."),
  terms: z.boolean().nullish().describe("Whether the author agreed to the terms."),
};

export const ReviewBody = z
  .object({
    ...common,
    score: z.int().min(1).max(5).describe("Stars."),
    title: optionalText(255).describe("A headline."),
    content: optionalText(60_000).describe("The review itself."),
    pros: points.describe("What the author liked."),
    cons: points.describe("What the author did not."),
    recommended: z.boolean().nullish().describe("Whether the author recommends the product."),
  })
  .meta({ id: "CollectedReview" });
export type ReviewBody = z.output<typeof ReviewBody>;

/** The answer: the fields as they were posted, without the key. */
export const ReviewEcho = ReviewBody.omit({ api_key: true }).meta({ id: "CollectedReviewEcho" });
export type ReviewEcho = z.output<typeof ReviewEcho>;

export const QuestionBody = z
  .object({
    ...common,
    author_email: common.author_email.describe(
      "Never shown. Required where the client wants it confirmed, or where `mail_answer` is `true`.",
    ),
    question: filledText(255).describe("The question itself."),
    mail_answer: z
      .enum(["true", "false"], {
        error: (issue) => (issue.input === undefined ? because("required") : because("not_true_or_false_text")),
      })
      .describe("Whether the asker wants a mail once it is answered."),
    details: optionalText(60_000).describe("What more there is to say."),
  })
  .meta({ id: "CollectedQuestion" });
export type QuestionBody = z.output<typeof QuestionBody>;

/** The answer: the fields as they were posted, without the key. */
export const QuestionEcho = QuestionBody.omit({ api_key: true }).meta({ id: "CollectedQuestionEcho" });
export type QuestionEcho = z.output<typeof QuestionEcho>;
