import { z } from "zod";

/** How often, and at which hour of the client's day, a person gets an email digest; null turns it off. */
export const Digest = z.object({
  every: z
    .enum(["day", "week"])
    .meta({ description: "How often the digest is sent; weekly digests are sent on Mondays." }),
  hour: z.int().min(0).max(23).meta({ description: "Hour of the day, in the store's time zone." }),
});
export type Digest = z.output<typeof Digest>;

export const DigestChoice = z.object({
  digest: Digest.nullable().meta({ description: "Digest settings; null for no digest." }),
});
