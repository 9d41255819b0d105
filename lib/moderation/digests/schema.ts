import { z } from "zod";

/** How often a person is told by mail what waits at a client, and at which hour of its day; null: not at all. */
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
