import { reviewSources } from "@/lib/moderation/queue/values";
import { type ModeratedKind, moderatedKinds, moderationStatuses, rejectReasons } from "@/lib/reviews/decisions/schema";

/** Values of the library's filters. Browser-safe, so no schemas here. */

export const librarySorts = ["newest", "oldest", "highest", "lowest"] as const;

/** How an author's edits changed the score: it is now higher or lower than it once was. */
export const scoreChanges = ["up", "down"] as const;

/** Which photos are listed: those that can be shown with their text, or hidden ones. */
export const photoStates = ["shown", "hidden"] as const;
export type PhotoState = (typeof photoStates)[number];

/** Rows of a page. */
export const PAGE_SIZE = 50;
/** Rows that can be exported as selected. */
export const MAX_SELECTED = 200;

export const libraryFormats = ["csv", "jsonl"] as const;

/** A selection of scores in ascending order, such as `12`. */
export const LIBRARY_STARS = /^(?:12?3?4?5?|23?4?5?|34?5?|45?|5)$/;

const yesOrNo = ["1", "0"] as const;
const textUpTo = (max: number) => (value: string) =>
  value.trim() !== "" && [...value].length <= max && !value.includes("\0");
export const isDay = (value: string) => {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
};

/** Valid values of each filter in a URL: a list of values, or a check. */
export const libraryFields = {
  kind: moderatedKinds,
  status: moderationStatuses,
  stars: (value: string) => LIBRARY_STARS.test(value),
  product: textUpTo(255),
  brand: textUpTo(255),
  category: textUpTo(255),
  lang: (value: string) => /^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(value) && value.length <= 35,
  source: reviewSources,
  photos: yesOrNo,
  verified: yesOrNo,
  reply: yesOrNo,
  score_change: scoreChanges,
  reason: rejectReasons,
  from: isDay,
  to: isDay,
  q: textUpTo(320),
  sort: librarySorts,
} as const satisfies Record<string, readonly string[] | ((value: string) => boolean)>;

/** The library's filter, as in the page's URL. */
export type LibraryFilter = {
  kind: ModeratedKind;
  sort: (typeof librarySorts)[number];
  status?: (typeof moderationStatuses)[number] | undefined;
  stars?: string | undefined;
  product?: string | undefined;
  brand?: string | undefined;
  category?: string | undefined;
  lang?: string | undefined;
  source?: (typeof reviewSources)[number] | undefined;
  photos?: "1" | "0" | undefined;
  verified?: "1" | "0" | undefined;
  reply?: "1" | "0" | undefined;
  score_change?: (typeof scoreChanges)[number] | undefined;
  reason?: (typeof rejectReasons)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
};

/** Filters that don't apply to a kind: they are left out of its lists. */
const notOfKind: Record<ModeratedKind, readonly (keyof LibraryFilter)[]> = {
  review: [],
  seller_review: ["product", "brand", "category"],
  question: ["stars", "verified", "score_change"],
};

/**
 * Parses a filter from a URL. Drops invalid values, and those that don't apply to the kind, so that old links still work
 * and filters stay when switching between kinds.
 */
export function readLibraryFilter(query: (name: string) => string | null | undefined): LibraryFilter {
  const given: [string, string][] = Object.entries(libraryFields).flatMap(([name, field]) => {
    const value = query(name);
    const fits = typeof field === "function" ? field : (text: string) => (field as readonly string[]).includes(text);
    return value && fits(value) ? [[name, value]] : [];
  });
  return withoutOthers({ kind: "review", sort: "newest", ...Object.fromEntries(given) });
}

/** A filter without what doesn't apply to its kind or status. */
export function withoutOthers(given: LibraryFilter): LibraryFilter {
  const filter = { ...given };
  for (const name of notOfKind[filter.kind]) delete filter[name];
  // Only rejected items have a reason.
  if (filter.status !== undefined && filter.status !== "rejected") delete filter.reason;
  if (filter.kind === "question" && (filter.sort === "highest" || filter.sort === "lowest")) filter.sort = "newest";
  return filter;
}

/** Whether a list may be filtered and sorted by stars for those who don't see them until a review is decided. */
export const mayFilterByStars = ({ status }: Pick<LibraryFilter, "status">): boolean =>
  status === "accepted" || status === "rejected";

/** A filter that says nothing about stars. */
export function withoutStars({ stars: _, score_change: __, ...filter }: LibraryFilter): LibraryFilter {
  return filter.sort === "highest" || filter.sort === "lowest" ? { ...filter, sort: "newest" } : filter;
}

/** Whether a filter leaves out anything of its kind. */
export const hasConditions = ({ kind: _, sort: __, ...conditions }: LibraryFilter): boolean =>
  Object.values(conditions).some((value) => value !== undefined);

/** Whether a filter applies to a kind. */
export const appliesTo = (kind: ModeratedKind, name: keyof LibraryFilter): boolean => !notOfKind[kind].includes(name);

/** A filter's query string in a fixed order, without defaults: equal filters have equal strings. */
export function libraryQuery(filter: LibraryFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const name of Object.keys(libraryFields) as (keyof LibraryFilter)[]) {
    const value = filter[name];
    const isDefault = (name === "kind" && value === "review") || (name === "sort" && value === "newest");
    if (value !== undefined && !isDefault) search.set(name, value);
  }
  return search;
}
