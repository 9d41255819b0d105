import { z } from "zod";
import { languageCode } from "@/lib/platform/http/fields";

export const TranslationQuery = z.object({
  client_id: z.string().optional(),
  lang: languageCode.meta({ description: "Language to translate into." }),
});

/** An item's texts in another language; `title` is null if it has none. */
export const Translation = z.object({
  title: z.string().nullable(),
  extract: z.string(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
});
export type Translation = z.infer<typeof Translation>;
