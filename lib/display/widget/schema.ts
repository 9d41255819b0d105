import { z } from "zod";
import type { WidgetFormWords, WidgetQuestionWords } from "@/lib/display/widget/form-words";
import { text } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";

/** The widget's own addresses: its script, its forms, and what a shop's server can put into pages itself. */

export const WidgetParams = z.object({ client_id: z.string() });

const lang = text(35)
  .optional()
  .meta({ description: "Language of the widget: en, de, fr, es or sv; the client's where it is left out." });

export const ScriptQuery = z.object({ lang });

const subject = {
  key: text(255).optional().meta({ description: "Product id." }),
  url_key: text(255).optional().meta({ description: "Product family." }),
};
const named = ({ key, url_key }: { key?: string; url_key?: string }) => Boolean(key || url_key);
const unnamed = { path: ["key"], error: because("required_or_url_key"), when: () => true };

const name = text(255).optional().meta({ description: "Name of a product that the catalogue does not know." });

export const FormQuery = z.object({ ...subject, name, lang }).refine(named, unnamed);
export type FormQuery = z.output<typeof FormQuery>;

export const StructuredDataQuery = z.object({ ...subject, name }).refine(named, unnamed);
export type StructuredDataQuery = z.output<typeof StructuredDataQuery>;

export const FragmentQuery = z
  .object({
    ...subject,
    name,
    lang,
    limit: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, { error: because("not_a_count", { min: 1 }) })
      .transform((value) => Math.min(Number(value), 100))
      .default(10)
      .meta({ description: "Reviews or questions at most; above 100 it is taken as 100." }),
  })
  .refine(named, unnamed);
export type FragmentQuery = z.output<typeof FragmentQuery>;

/** schema.org's Product, as far as search engines read it. */
export const StructuredData = z
  .looseObject({
    "@context": z.literal("https://schema.org"),
    "@type": z.literal("Product"),
    name: z.string().describe("The product's."),
  })
  .meta({ id: "StructuredData" });
export type StructuredData = z.infer<typeof StructuredData>;

/** What the widget's forms ask, and their words in the visitor's language. */
export const WidgetForm = z
  .object({
    api_key: z.string().describe("The client's public key."),
    product: z
      .object({
        id: z.string().nullable().describe("Product id; null where only its family is known."),
        family_id: z.string().nullable().describe("Product family."),
        name: z.string().nullable().describe("As it is called, or null."),
      })
      .describe("What is reviewed or asked about."),
    asks_points: z.boolean().describe("Whether pros and cons are asked."),
    asks_recommended: z.boolean().describe("Whether it is asked if the author would recommend it."),
    asks_questions: z.boolean().describe("Whether questions about products are taken."),
    email_required: z.boolean().describe("Whether an address must be given."),
    verifies: z.boolean().describe("Whether the author gets a mail to confirm the address."),
    fewest_words: z.int().min(0).describe("Words that a review must have."),
    terms: z
      .object({
        url: z.string().nullable().describe("Where they can be read."),
        text: z.string().nullable().describe("The terms themselves."),
      })
      .nullable()
      .describe("What is to be agreed to; null where nothing is."),
    questions: z
      .array(
        z.object({
          id: z.string().describe("Its name in `custom_questions`."),
          label: z.string().describe("The question."),
          type: z.enum(["score", "text", "select"]).describe("How it is answered."),
          multiple: z.boolean().describe("Whether several options may be chosen."),
          required: z.boolean().describe("Whether it must be answered."),
          options: z
            .array(
              z.object({
                id: z.string().describe("What is sent."),
                label: z.string().describe("What is shown."),
              }),
            )
            .describe("What there is to choose; empty but for `select`."),
        }),
      )
      .describe("The client's own questions about the product."),
    words: z.record(z.string(), z.string()).describe("Of the form for reviews, in the visitor's language."),
    question_words: z.record(z.string(), z.string()).describe("Of the form for questions."),
  })
  .meta({ id: "WidgetForm" });
type Told = z.infer<typeof WidgetForm>;
export type WidgetForm = Omit<Told, "words" | "question_words"> & {
  words: WidgetFormWords;
  question_words: WidgetQuestionWords;
};
