import { z } from "zod";
import type { WidgetFormTexts } from "@/lib/display/widget/form-texts";
import { text } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** The widget's own URLs: its script, its forms, and HTML that a store's server can put into pages itself. */

export const WidgetParams = z.object({ client_id: z.string() });

const lang = text(35)
  .optional()
  .meta({ description: "Language of the widget: en, de, fr, es or sv. Default: the store's language." });

export const ScriptQuery = z.object({ lang });

const subject = {
  key: text(255).optional().meta({ description: "Product id." }),
  url_key: text(255).optional().meta({ description: "Product family." }),
};
const hasSubject = ({ key, url_key }: { key?: string; url_key?: string }) => Boolean(key || url_key);
const missingSubject = { path: ["key"], error: encodeReason("required_or_url_key"), when: () => true };

const name = text(255).optional().meta({ description: "Name of a product that is not in the catalog." });

export const FormQuery = z.object({ ...subject, name, lang }).refine(hasSubject, missingSubject);
export type FormQuery = z.output<typeof FormQuery>;

export const StructuredDataQuery = z.object({ ...subject, name }).refine(hasSubject, missingSubject);
export type StructuredDataQuery = z.output<typeof StructuredDataQuery>;

export const FragmentQuery = z
  .object({
    ...subject,
    name,
    lang,
    limit: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, { error: encodeReason("not_a_count", { min: 1 }) })
      .transform((value) => Math.min(Number(value), 100))
      .default(10)
      .meta({ description: "Maximum number of reviews or questions; values above 100 count as 100." }),
  })
  .refine(hasSubject, missingSubject);
export type FragmentQuery = z.output<typeof FragmentQuery>;

/** schema.org's Product, as far as search engines read it. */
export const StructuredData = z
  .looseObject({
    "@context": z.literal("https://schema.org"),
    "@type": z.literal("Product"),
    name: z.string().describe("Name of the product."),
  })
  .meta({ id: "StructuredData" });
export type StructuredData = z.infer<typeof StructuredData>;

/** The questions of the widget's forms, and their messages in the visitor's language. */
export const WidgetForm = z
  .object({
    api_key: z.string().describe("Public key of the store."),
    product: z
      .object({
        id: z.string().nullable().describe("Product id; null if only the family is known."),
        family_id: z.string().nullable().describe("Product family."),
        name: z.string().nullable().describe("Name of the product, or null."),
      })
      .describe("Product that the review or question is about."),
    asks_points: z.boolean().describe("Whether the form asks for pros and cons."),
    asks_recommended: z.boolean().describe("Whether the form asks if the author recommends the product."),
    asks_questions: z.boolean().describe("Whether the store collects questions."),
    email_required: z.boolean().describe("Whether an email address is required."),
    verifies: z.boolean().describe("Whether authors must confirm their email address with a link."),
    fewest_words: z.int().min(0).describe("Minimum words of a review."),
    terms: z
      .object({
        url: z.string().nullable().describe("URL of the terms."),
        text: z.string().nullable().describe("Text of the terms."),
      })
      .nullable()
      .describe("Terms that the author must accept; null if there are none."),
    questions: z
      .array(
        z.object({
          id: z.string().describe("Name of the question in `custom_questions`."),
          label: z.string().describe("Text of the question."),
          type: z.enum(["score", "text", "select"]).describe("Type of the answer."),
          multiple: z.boolean().describe("Whether several options can be selected."),
          required: z.boolean().describe("Whether an answer is required."),
          options: z
            .array(
              z.object({
                id: z.string().describe("Value to send."),
                label: z.string().describe("Label to show."),
              }),
            )
            .describe("Options of a `select`; empty for other types."),
        }),
      )
      .describe("Custom questions of the store about the product."),
    words: z.record(z.string(), z.string()).describe("Texts of the review form, in the visitor's language."),
    question_words: z.record(z.string(), z.string()).describe("Texts of the question form."),
  })
  .meta({ id: "WidgetForm" });
type WidgetFormShape = z.infer<typeof WidgetForm>;
export type WidgetForm = Omit<WidgetFormShape, keyof WidgetFormTexts> & WidgetFormTexts;
