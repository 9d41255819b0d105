import { z } from "zod";
import {
  LIBRARY_STARS,
  type libraryFields,
  libraryFormats,
  librarySorts,
  MAX_SELECTED,
  scoreChanges,
} from "@/lib/moderation/library/values";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { reviewSources } from "@/lib/moderation/queue/values";
import { clientId, day, filledText, languageCode } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import type { ImageObject } from "@/lib/reviews/contributions/schema";
import { moderatedKinds, moderationStatuses, rejectReasons } from "@/lib/reviews/decisions/schema";

/** A flag: `1` for only those, `0` for only those without. */
const yesOrNo = z.enum(["1", "0"]).optional();

/** The library's filter, as in the page's URL. */
export const LibraryFilter = z.object({
  kind: z.enum(moderatedKinds).default("review"),
  status: z.enum(moderationStatuses).optional(),
  stars: z
    .string()
    .regex(LIBRARY_STARS, { error: encodeReason("not_stars") })
    .optional()
    .meta({ description: "Only items with these scores, ascending, such as `12`." }),
  product: filledText(255).optional().meta({ description: "Only items about this product or product family, by id." }),
  brand: filledText(255).optional().meta({ description: "Only items about products of this brand in the catalog." }),
  category: filledText(255)
    .optional()
    .meta({ description: "Only items about products of this category in the catalog." }),
  lang: languageCode.optional(),
  source: z.enum(reviewSources).optional(),
  photos: yesOrNo,
  verified: yesOrNo.meta({ description: "Only items by verified buyers, or only others." }),
  reply: yesOrNo.meta({ description: "Only items with a reply (questions: an answer), or only those without." }),
  score_change: z
    .enum(scoreChanges)
    .optional()
    .meta({ description: "Only reviews whose author raised or lowered the score." }),
  reason: z.enum(rejectReasons).optional().meta({ description: "Only items rejected for this reason." }),
  from: day.optional().meta({ description: "Only items dated this day or later." }),
  to: day.optional().meta({ description: "Only items dated this day or earlier." }),
  q: filledText(320)
    .optional()
    .meta({ description: "Exact id, order id, customer id or email address; otherwise words of the text or author." }),
  sort: z.enum(librarySorts).default("newest"),
} satisfies Record<keyof typeof libraryFields, z.ZodType>);

/** A filter, or selected rows, with the file's format. */
export const LibraryExport = LibraryFilter.extend({
  client_id: clientId,
  format: z.enum(libraryFormats).default("csv"),
  ids: z
    .string()
    .regex(/^[\w-]{1,64}(?:,[\w-]{1,64}){0,199}$/, { error: encodeReason("not_ids", { max: MAX_SELECTED }) })
    .optional()
    .meta({ description: `Only these rows, up to ${MAX_SELECTED} ids; other filters are ignored.` }),
});

export const NewLibraryView = z.object({
  name: filledText(60).meta({ description: "Name of the view. A view with the same name is replaced." }),
  filter: LibraryFilter,
});

/** A photo with the review, seller review or question that it was submitted with. */
export type LibraryPhoto = { image: ImageObject; hidden: boolean; item: QueueItem };
