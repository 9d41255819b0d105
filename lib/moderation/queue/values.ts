import { decidedKinds, moderationStatuses, rejectReasons } from "@/lib/reviews/decisions/schema";

/** What the queue's filters may say. What the browser needs of this room besides types: no schemas here. */

/** How a review came in. */
export const reviewSources = ["invitation", "web", "collect", "api", "import"] as const;
/** How anything in the queue came in: answers are written in the portal. */
export const itemSources = [...reviewSources, "portal"] as const;

/** How long something has been there at least, as addresses name it. */
export const ages = ["day", "week", "month"] as const;

/** How many items one call decides: what a person can look over, and a transaction writes in a moment. */
export const MAX_DECISIONS = 200;

/** Keys that show another item and decide nothing: next, previous, skip. Each press of one counts, also where it is kept down. */
export const navigationKeys: readonly string[] = ["j", "k", "s"];

const flag = ["1"] as const;
/** Text that says something, of at most so many characters; counted like the schema's, an emoji is one. */
const hasText = (most: number) => (value: string) => value.trim() !== "" && [...value].length <= most;

/**
 * What each filter of the queue may be in an address: one of these words, or what this says yes to. The schema judges the
 * same where a call is answered.
 */
export const filterFields = {
  kind: decidedKinds,
  status: [...moderationStatuses, "all"],
  source: reviewSources,
  lang: (value: string) => /^[a-z]{2,3}$/.test(value),
  verified: flag,
  photo: flag,
  reported: flag,
  unverified: flag,
  unreplied: flag,
  text: flag,
  reason: rejectReasons,
  age: ages,
  product: hasText(255),
  brand: hasText(255),
  words: hasText(100),
  q: hasText(320),
} as const satisfies Record<string, readonly string[] | ((value: string) => boolean)>;
