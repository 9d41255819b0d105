import { decidedKinds, moderationStatuses, rejectReasons } from "@/lib/reviews/decisions/schema";

/** Values of the queue's filters. Browser-safe, so no schemas here. */

/** How a review was submitted. */
export const reviewSources = ["invitation", "web", "collect", "api", "import"] as const;
/** How an item in the queue was submitted; answers are written in the portal. */
export const itemSources = [...reviewSources, "portal"] as const;

/** Minimum age of an item, as in URLs. */
export const ages = ["day", "week", "month"] as const;

/** Whom an item is assigned to: the person who asks, or nobody. */
export const assignees = ["me", "none"] as const;

/** Maximum items decided in one call: what a person can check, and a short transaction. */
export const MAX_DECISIONS = 200;

const flag = ["1"] as const;
/** A text that isn't blank and has at most this many characters, counted by code point like the schema. */
const textUpTo = (max: number) => (value: string) => value.trim() !== "" && [...value].length <= max;

/** Valid values of each filter in a URL: a list of values, or a check. The schema enforces the same for API calls. */
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
  assigned: assignees,
  product: textUpTo(255),
  brand: textUpTo(255),
  words: textUpTo(100),
  q: textUpTo(320),
} as const satisfies Record<string, readonly string[] | ((value: string) => boolean)>;
