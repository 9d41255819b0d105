import { z } from "zod";
import { text } from "@/lib/platform/http/fields";
import { MAX_APPEAL_LENGTH } from "@/lib/reviews/decisions/appeal-values";

/** What the page's buttons do. `link`: email a new link, which an expired page offers. */
const authorActions = ["link", "withdraw", "appeal", "stop", "resume", "erase"] as const;

export const AuthorAction = z.object({
  do: z.enum(authorActions),
  item: text(80)
    .optional()
    .meta({ description: "What it is about: `review.<id>`, `seller_review.<id>` or `question.<id>`." }),
  text: text(4 * MAX_APPEAL_LENGTH)
    .optional()
    .meta({ description: "Of an appeal: the author's reasons." }),
  confirmed: text(10).optional().meta({ description: "Set if the person confirms that everything is erased." }),
});
export type AuthorAction = z.output<typeof AuthorAction>;
