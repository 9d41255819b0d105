import { z } from "zod";
import { text, webAddress } from "@/lib/platform/http/fields";
import { languages } from "@/lib/platform/i18n/languages";
import { encodeReason } from "@/lib/platform/issue";

/** Email templates made of blocks. The portal's editor sends them; the service compiles them to Liquid. */

const id = text(64);
/** A line or paragraphs; `{{ name }}` is a placeholder if it is a known one, everything else is shown as written. */
const line = text(500);
const paragraphs = text(5_000);

const Block = z.discriminatedUnion("type", [
  z.strictObject({ id, type: z.literal("logo") }),
  z.strictObject({ id, type: z.literal("greeting"), text: line }),
  z.strictObject({ id, type: z.literal("heading"), text: line }),
  z.strictObject({ id, type: z.literal("text"), text: paragraphs }),
  z.strictObject({ id, type: z.literal("products") }),
  z.strictObject({
    id,
    type: z.literal("button"),
    label: line,
    url: webAddress.nullable().meta({ description: "Null: the review form." }),
  }),
  z.strictObject({ id, type: z.literal("seller") }),
  z.strictObject({ id, type: z.literal("footer"), text: paragraphs }),
]);
export type Block = z.output<typeof Block>;

export const TemplateBlocks = z.strictObject({
  subject: line,
  blocks: z
    .array(Block)
    .max(40)
    .refine((blocks) => new Set(blocks.map((block) => block.id)).size === blocks.length, {
      error: encodeReason("blocks_same_id"),
    })
    .refine(
      (blocks) => blocks.at(-1)?.type === "footer" && blocks.filter(({ type }) => type === "footer").length === 1,
      { error: encodeReason("blocks_without_footer") },
    ),
});
export type TemplateBlocks = z.output<typeof TemplateBlocks>;

/** What a template is for: customers of one language, or all that have no template of their own. */
export const TemplateLanguage = z.enum(["all", ...languages]);
export type TemplateLanguage = z.output<typeof TemplateLanguage>;

/** Templates made of blocks, by language. */
export const BlocksByLanguage = z.partialRecord(TemplateLanguage, TemplateBlocks);
export type BlocksByLanguage = z.output<typeof BlocksByLanguage>;
