import { fisherExact, fisherOfTables } from "@/lib/honesty/bias/fisher";

// Whether what a store does with reviews depends on their stars: one or two stars compared with four or five. Computed
// from a log alone, by the server and by the verifier. The README says what it finds and how often it errs.

/**
 * `published`: published at all, of those decided on or pending for more than seven days. `time_to_publish`: published
 * later than half of all. `removed`, `replied`: of the published ones.
 */
export const biasQuestions = ["published", "time_to_publish", "removed", "replied"] as const;
export type LogQuestion = (typeof biasQuestions)[number];
/** Of whom is invited. Not from the log, which has no customers and no orders; see find-invitation-bias.ts. */
export const invitationQuestions = ["invited", "invited_value", "invited_returns"] as const;
export type InvitationQuestion = (typeof invitationQuestions)[number];
export type BiasQuestion = LogQuestion | InvitationQuestion;

/** Of stores that treat all reviews alike, at most this share gets an alarm within a year. */
export const FALSE_ALARMS_A_YEAR = 0.01;
const LOOKS_A_YEAR = 53;
/** A finding begins below this: all looks and questions of a year together err no more often than stated (Bonferroni). */
export const ALARM_BELOW = FALSE_ALARMS_A_YEAR / (LOOKS_A_YEAR * (biasQuestions.length + invitationQuestions.length));
/** It lasts for as long as each look is below this. */
const LASTS_BELOW = 0.01;
/** Reviews that each group has at least. */
export const MIN_REVIEWS = 20;
/** Orders only show roughly which customers a store could have invited: cooldowns alone can lean by ten points. */
const MIN_INVITED = 0.2;
/** Differences that are large enough to matter, as shares of reviews. */
const MIN_DIFFERENCE = {
  published: 0.1,
  removed: 0.05,
  replied: 0.1,
  invited: MIN_INVITED,
  invited_value: MIN_INVITED,
  invited_returns: MIN_INVITED,
} as const;
/** 0.3 − 0.2 is less than 0.1. */
const ROUNDING = 1e-9;
/** Of the times until half were published: the longer one is so many times the shorter one, and so many minutes more. */
const MIN_TIMES = 1.5;
const MIN_MINUTES = 60;

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Monday, January 5, 1970 */
const MONDAY = 4 * DAY;
export const WINDOW_DAYS = 180;
const WINDOW = WINDOW_DAYS * DAY;
const WAITING = 7 * DAY;
/** From when on a finding is public. */
const PUBLIC_AFTER = 30 * DAY;

/**
 * Since when something holds, in milliseconds; null for never. If it ended, a list: when it began, ended, began again and
 * so on. A list only then, since a log can have a million reviews.
 */
export type Changes = number | number[] | null;

/** What became of a review, with times in milliseconds; null for what didn't happen. */
export type HandledReview = {
  /** as its author gave them, when the store first decided */
  stars: number;
  /** when it arrived, or its author confirmed the address */
  arrived: number;
  published: number | null;
  /** rejected, or deleted by the store, without ever being published */
  rejected: number | null;
  /** no longer published, by the store's decision */
  removed: Changes;
  /** deleted by its author, erased on the author's wish, or deleted with an import */
  ended: number | null;
  replied: Changes;
};

/**
 * One side of a comparison: `count` of its `reviews` were published, published late, removed or replied to, or of its
 * customers were invited. `median`: of `time_to_publish`, the least number of minutes in which half were published, or
 * else have waited so far.
 */
export type BiasGroup = { reviews: number; count: number; median: number | null };

export type BiasFinding = {
  question: BiasQuestion;
  /** the look that began it, and the last one: `2026-11-23T00:00:00Z` */
  since: string;
  until: string;
  /** reviews that arrived from then until the last look */
  from: string;
  /** few stars; of invitations also the orders of the least value, or with returns */
  low: BiasGroup;
  high: BiasGroup;
  /** of the last look, with two digits */
  p: number;
};

/** `changes`, and from `at` on it holds or not. Adds to the given list. */
export function changeTo(holds: boolean, changes: Changes, at: number): Changes {
  const times = changes === null ? [] : typeof changes === "number" ? [changes] : changes;
  if ((times.length % 2 === 1) === holds) return changes;
  if (times.length === 0) return at;
  times.push(at);
  return times;
}

/**
 * Whether it held for most of the week before a look, or of the time from `published` on if that is shorter. What is
 * undone just for the look still counts, and what is undone for good no longer does after a week. What changed after the
 * look doesn't count, so earlier looks find what they found.
 */
function heldMostly(changes: Changes, published: number | null, look: number): boolean {
  const from = Math.max(look - WEEK, published ?? look);
  const times = Array.isArray(changes) ? changes : changes === null ? [] : [changes];
  let held = 0;
  for (let index = 0; index < times.length; index += 2) {
    const [began = look, ended = look] = [times[index], times[index + 1]];
    held += Math.max(0, Math.min(ended, look) - Math.max(began, from));
  }
  return held * 2 > look - from;
}

export type Groups = Pick<BiasFinding, "low" | "high">;

/** The last Monday, 0:00 UTC, that is over at a time. */
export const lookBefore = (at: number): number => Math.floor((at - MONDAY) / WEEK) * WEEK + MONDAY;

/** In the form of entries. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/**
 * What depends on stars, as the last look before `asOf` found it. Looks are each Monday, after the log `began`, on the
 * reviews of the 180 days before. `reviews` in any order, without imported ones.
 */
export function findBias(reviews: readonly HandledReview[], began: number, asOf: number): BiasFinding[] {
  const ordered = reviews.filter(({ stars }) => groupOf(stars)).sort((a, b) => a.arrived - b.arrived);
  const last = lookBefore(asOf);
  if (ordered.length < 2 * MIN_REVIEWS) return [];
  return biasQuestions.flatMap((question): BiasFinding[] => {
    let since: number | null = null;
    let found: Groups | null = null;
    for (let look = last; look >= began; look -= WEEK) {
      const groups = groupsAt(question, ordered, look);
      if (!isLarge(question, groups) || (found && isLowMore(groups) !== isLowMore(found))) break;
      const p = probability(groups);
      if (p >= LASTS_BELOW) break;
      if (p < ALARM_BELOW) since = look;
      found ??= groups;
    }
    return since === null || found === null ? [] : [toFinding(question, since, last, found)];
  });
}

/** The finding of a look whose data doesn't tell what earlier looks found, which are `known`. */
export function continueFinding(
  question: BiasQuestion,
  groups: Groups,
  known: readonly BiasFinding[],
  look: number,
): BiasFinding[] {
  if (!isLarge(question, groups)) return [];
  const before = known.find((one) => one.question === question && isLowMore(one) === isLowMore(groups));
  const p = probability(groups);
  if (p >= (before ? LASTS_BELOW : ALARM_BELOW)) return [];
  return [toFinding(question, before ? Date.parse(before.since) : look, look, groups)];
}

/**
 * Whether a finding about invitations remains if each group is only compared with the other one of the same week: what a
 * store does for some weeks only isn't taken for a difference between groups that have more orders in these weeks. The
 * difference is that of Mantel and Haenszel.
 */
export function remainsByWeek(finding: BiasFinding, weeks: readonly Groups[]): boolean {
  let [difference, weight] = [0, 0];
  for (const { low, high } of weeks) {
    const all = low.reviews + high.reviews;
    difference += (low.count * high.reviews - high.count * low.reviews) / all;
    weight += (low.reviews * high.reviews) / all;
  }
  const isLargeEnough = weight > 0 && Math.abs(difference / weight) + ROUNDING >= MIN_INVITED;
  const tables = weeks.map(({ low, high }) => ({
    hitsA: low.count,
    a: low.reviews,
    hitsB: high.count,
    b: high.reviews,
  }));
  const below = finding.since === finding.until ? ALARM_BELOW : LASTS_BELOW;
  return isLargeEnough && difference > 0 === isLowMore(finding) && fisherOfTables(tables) < below;
}

const toFinding = (question: BiasQuestion, since: number, look: number, groups: Groups): BiasFinding => ({
  question,
  since: timeOf(since),
  until: timeOf(look),
  from: timeOf(look - WINDOW),
  ...groups,
  p: Number(probability(groups).toPrecision(2)),
});

/** Whether a look alone would begin a finding. `reviews` in the order of their arrival. */
export function isAlarm(question: LogQuestion, reviews: readonly HandledReview[], look: number): boolean {
  const groups = groupsAt(question, reviews, look);
  return isLarge(question, groups) && probability(groups) < ALARM_BELOW;
}

/** Whether it can't be computed again from the log. */
export const isOfInvitations = ({ question }: BiasFinding): boolean =>
  (invitationQuestions as readonly string[]).includes(question);

/** When the public page shows a finding, if it lasts until then. */
export const publicFrom = ({ since }: BiasFinding): string => timeOf(Date.parse(since) + PUBLIC_AFTER);

/** Whether a finding has lasted for so long. */
export const isLasting = (finding: BiasFinding, asOf: number): boolean => asOf >= Date.parse(publicFrom(finding));

/** Whether people should look at it. Replying to few stars more often is good service. */
export const isConcern = (finding: BiasFinding): boolean => finding.question !== "replied" || !isLowMore(finding);

const groupOf = (stars: number): "low" | "high" | null =>
  stars === 1 || stars === 2 ? "low" : stars === 4 || stars === 5 ? "high" : null;

const shareOf = ({ count, reviews }: BiasGroup): number => count / reviews;
/** Whether the share of the `low` group is higher. */
export const isLowMore = ({ low, high }: Groups): boolean => shareOf(low) > shareOf(high);
const probability = ({ low, high }: Groups): number => fisherExact(low.count, low.reviews, high.count, high.reviews);

/** Whether there are enough reviews, and the difference is large enough to matter. */
function isLarge(question: BiasQuestion, { low, high }: Groups): boolean {
  if (low.reviews < MIN_REVIEWS || high.reviews < MIN_REVIEWS) return false;
  if (question !== "time_to_publish")
    return Math.abs(shareOf(low) - shareOf(high)) + ROUNDING >= MIN_DIFFERENCE[question];
  const [ofLow, ofHigh] = [low.median ?? 0, high.median ?? 0];
  const [shorter, longer] = ofLow > ofHigh ? [ofHigh, ofLow] : [ofLow, ofHigh];
  return (
    longer >= shorter * MIN_TIMES && longer - shorter >= MIN_MINUTES && ofLow > ofHigh === isLowMore({ low, high })
  );
}

function groupsAt(question: LogQuestion, ordered: readonly HandledReview[], look: number): Groups {
  const window = ordered.slice(firstFrom(ordered, look - WINDOW), firstFrom(ordered, look));
  const has = (at: number | null) => at !== null && at <= look;
  const published = window.filter((review) => has(review.published));
  if (question === "removed" || question === "replied")
    return count(published, (review) => heldMostly(review[question], review.published, look));
  const pending = window.filter((review) => !has(review.published) && !has(review.rejected) && !has(review.ended));
  if (question === "time_to_publish") return timesAt(published, pending, look);
  const rejected = window.filter((review) => !has(review.published) && has(review.rejected));
  const waiting = pending.filter(({ arrived }) => look - arrived > WAITING);
  return count([...published, ...rejected, ...waiting], (review) => has(review.published));
}

/**
 * Mood's median test: which share of each group waited longer than half of all did. Reviews that arrived too recently
 * to have waited so long say nothing yet.
 */
function timesAt(published: HandledReview[], pending: HandledReview[], look: number): Groups {
  const minutes = (review: HandledReview, until = look) => Math.max(0, Math.floor((until - review.arrived) / 60_000));
  const waitOf = (review: HandledReview) => minutes(review, Math.min(review.published ?? look, look));
  const half = medianOf(published.map(waitOf)) ?? 0;
  const old = [...published, ...pending].filter((review) => minutes(review) > half);
  const { low, high } = count(old, (review) => waitOf(review) > half);
  const medianWith = (group: "low" | "high") =>
    medianOf(old.filter(({ stars }) => groupOf(stars) === group).map(waitOf));
  return { low: { ...low, median: medianWith("low") }, high: { ...high, median: medianWith("high") } };
}

function count(reviews: HandledReview[], isCounted: (review: HandledReview) => boolean): Groups {
  const groups = {
    low: { reviews: 0, count: 0, median: null },
    high: { reviews: 0, count: 0, median: null },
  };
  for (const review of reviews) {
    const group = groups[groupOf(review.stars) ?? "high"];
    group.reviews += 1;
    if (isCounted(review)) group.count += 1;
  }
  return groups;
}

/** The least value that at least half don't exceed. */
function medianOf(values: number[]): number | null {
  const ordered = Float64Array.from(values).sort();
  return ordered[Math.ceil(ordered.length / 2) - 1] ?? null;
}

/** The index of the first review that arrived at a time or later. */
function firstFrom(ordered: readonly HandledReview[], at: number): number {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] as HandledReview).arrived < at) from = middle + 1;
    else to = middle;
  }
  return from;
}
