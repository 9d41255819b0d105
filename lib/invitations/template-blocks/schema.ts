import { z } from "zod";
import { TemplateBlocks, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { clientId, timestamp } from "@/lib/platform/http/fields";

export const versionsQuery = z.object({ client_id: clientId });
export const VersionsParams = z.object({ language: TemplateLanguage });
export const VersionParams = VersionsParams.extend({
  version: z.coerce.number().int().min(1).max(1_000_000_000).meta({ description: "Number of the version." }),
});

/** A version of an email template in the list. */
export const VersionEntry = z.object({
  version: z.int(),
  saved_at: timestamp,
  saved_by: z.string().nullable().meta({
    description: "Name of the person or key; null for the admin command, or if it isn't one of this installation.",
  }),
  by_kind: z
    .enum(["user", "key", "rule", "system", "visitor", "unknown"])
    .meta({ description: "`unknown`: saved before versions were recorded." }),
  made_of: z
    .enum(["blocks", "html", "default"])
    .meta({ description: "`default`: no template of its own at that time." }),
});
export type VersionEntry = z.output<typeof VersionEntry>;

const part = z.string().nullable();

/** A version of an email template with its texts; null is the default, or the one for all languages. */
export const TemplateVersion = z.object({
  version: z.int(),
  subject: part,
  html_template: part,
  text_template: part,
  blocks: TemplateBlocks.nullable(),
});
export type TemplateVersion = z.output<typeof TemplateVersion>;

export const RestoreInput = z.object({
  version: z.int().meta({
    description: "Version of the settings you read. A different current version is a conflict.",
  }),
});
