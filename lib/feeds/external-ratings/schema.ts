import { z } from "zod";
import { clientId } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

export const ExternalsQuery = z.object({ client_id: clientId });

export const ExternalsForm = z.object({
  file: z
    .file({ error: (issue) => (issue.input === undefined ? encodeReason("required") : encodeReason("not_a_file")) })
    .meta({
      description:
        "CSV, TSV or JSON with product_id, source, kind (pro or user), count, and optionally locale, country, score_dist, url.",
    }),
});

/** Number of rows created, updated, deleted and rejected by an import of external totals. */
export const ExternalsReport = z.object({
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  rejected: z
    .array(z.object({ row: z.int(), reason: z.string() }))
    .meta({ description: "First thousand rejected rows." }),
});
export type ExternalsReport = z.infer<typeof ExternalsReport>;
