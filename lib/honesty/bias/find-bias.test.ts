import { describe, expect, it } from "vitest";
import {
  ALARM_BELOW,
  biasQuestions,
  FALSE_ALARMS_A_YEAR,
  findBias,
  type HandledReview,
  isAlarm,
  isConcern,
  isLasting,
  lookBefore,
} from "@/lib/honesty/bias/find-bias";
import { DAY, type Habits, powerOf, randomFrom, reviewsOf, START } from "@/lib/honesty/bias/fixtures/shops";
import { propertyRuns } from "@/lib/tools/test/property-runs";

const HOUR = 3_600_000;
const fair: Habits = { rejected: 0.1, removed: 0.05, replied: 0.3, hours: 12 };
/** The first look at half a year of reviews. */
const LOOK = START + 26 * 7 * DAY;
const shop = { reviews: 1_000, days: 182, lowShare: 0.2, low: fair, high: fair };

const at = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
const review = (stars: number, more: Partial<HandledReview> = {}): HandledReview => ({
  stars,
  arrived: LOOK - 60 * DAY,
  published: LOOK - 60 * DAY + HOUR,
  rejected: null,
  removed: null,
  ended: null,
  replied: null,
  ...more,
});
const times = <T>(n: number, make: (index: number) => T): T[] => Array.from({ length: n }, (_, index) => make(index));
const rejected = { published: null, rejected: LOOK - 59 * DAY };
const find = (reviews: HandledReview[], asOf = LOOK + DAY) => findBias(reviews, START, asOf);

describe("what the alarm finds", () => {
  it("reviews with few stars that are published less often", () => {
    const reviews = [
      ...times(20, () => review(1, rejected)),
      ...times(20, () => review(2)),
      ...times(8, () => review(5, rejected)),
      ...times(72, () => review(4)),
      ...times(50, () => review(3, rejected)),
    ];
    expect(find(reviews)).toEqual([
      {
        question: "published",
        since: at(LOOK - 8 * 7 * DAY),
        until: at(LOOK),
        from: at(LOOK - 180 * DAY),
        low: { reviews: 40, count: 20, median: null },
        high: { reviews: 80, count: 72, median: null },
        p: 0.0000042,
      },
    ]);
  });

  it("reviews that are left pending, as if they weren't published, after seven days", () => {
    const pending = { published: null };
    const reviews = [...times(30, () => review(1, pending)), ...times(40, () => review(5))];
    expect(find(reviews).map(({ question }) => question)).toContain("published");
    const recent = { ...pending, arrived: LOOK - 6 * DAY };
    const young = [...times(30, () => review(1, recent)), ...times(40, () => review(5))];
    expect(find(young).map(({ question }) => question)).toEqual(["time_to_publish"]);
  });

  it("reviews with few stars that wait longer, also if they still wait", () => {
    const later = (hours: number) => ({ published: LOOK - 60 * DAY + hours * HOUR });
    const reviews = [
      ...times(30, (index) => review(1, later(38 + (index % 7)))),
      ...times(10, () => review(2, { published: null })),
      ...times(120, (index) => review(5, later(10 + (index % 7)))),
    ];
    const [, times_] = find(reviews);
    expect(times_).toMatchObject({
      question: "time_to_publish",
      low: { reviews: 40, count: 40, median: 42 * 60 },
      high: { reviews: 120, count: 34, median: 13 * 60 },
    });
  });

  it("no difference of minutes, whatever the ratio", () => {
    const later = (minutes: number) => ({ published: LOOK - 60 * DAY + minutes * 60_000 });
    expect(find([...times(60, () => review(1, later(50))), ...times(60, () => review(5, later(1)))])).toEqual([]);
  });

  it("reviews with few stars that are removed more often, or get fewer replies", () => {
    const removed = { removed: LOOK - 40 * DAY };
    const replied = { replied: LOOK - 40 * DAY };
    const reviews = [
      ...times(10, () => review(1, removed)),
      ...times(30, () => review(1)),
      ...times(30, () => review(5, replied)),
      ...times(50, () => review(5)),
    ];
    expect(find(reviews)).toMatchObject([
      { question: "removed", low: { reviews: 40, count: 10 }, high: { reviews: 80, count: 0 } },
      { question: "replied", low: { reviews: 40, count: 0 }, high: { reviews: 80, count: 30 } },
    ]);
  });

  it("more replies to few stars, which is no concern", () => {
    const reviewsWith = (low: number, high: number) => [
      ...times(40, () => review(1, { replied: low })),
      ...times(40, () => review(5, { replied: high })),
    ];
    const [soon, later] = [LOOK - 40 * DAY, LOOK + 40 * DAY];
    const concerns = [reviewsWith(soon, later), reviewsWith(later, soon)].map((reviews) =>
      find(reviews).map((finding) => [finding.question, isConcern(finding)]),
    );
    expect(concerns).toEqual([[["replied", false]], [["replied", true]]]);
  });

  it("nothing with fewer than twenty reviews on a side, however they are handled", () => {
    const reviews = (low: number) => [...times(low, () => review(1, rejected)), ...times(500, () => review(5))];
    expect(find(reviews(19))).toEqual([]);
    expect(find(reviews(20))).toHaveLength(1);
  });

  it("nothing if a difference is small, however many reviews show it", () => {
    const reviews = (share: number) => [
      ...times(10_000, (index) => review(1, index < 10_000 * (share + 0.05) ? rejected : {})),
      ...times(10_000, (index) => review(5, index < 500 ? rejected : {})),
    ];
    expect(find(reviews(0.09))).toEqual([]);
    expect(find(reviews(0.1))).toHaveLength(1);
  });

  it("nothing of before the log began, and of reviews that arrived more than 180 days before", () => {
    const reviews = [...times(40, () => review(1, rejected)), ...times(80, () => review(5))];
    expect(findBias(reviews, LOOK + 1, LOOK + DAY)).toEqual([]);
    expect(find(reviews, LOOK + 119 * DAY)).toHaveLength(1);
    expect(find(reviews, LOOK + 126 * DAY)).toEqual([]);
  });

  it("begins a finding at a strict look, and ends it once a look hardly shows it", () => {
    const week = (index: number) => START + index * 7 * DAY;
    const of = (from: number, to: number, share: number) =>
      times(to - from, (index) => {
        const arrived = week(from + index) + DAY;
        const decided = (stars: number, isPublished: boolean) =>
          review(stars, {
            arrived,
            published: isPublished ? arrived + HOUR : null,
            rejected: isPublished ? null : arrived,
          });
        return [...times(10, (one) => decided(1, one >= 10 * share)), ...times(30, (one) => decided(5, one >= 3))];
      }).flat();
    // Half of those with few stars are rejected in the first ten weeks, a tenth later.
    const reviews = [...of(0, 10, 0.5), ...of(10, 60, 0.1)];
    const found = times(60, (index) => find(reviews, week(index) + DAY)[0]?.since ?? null);
    const first = found.findIndex((since) => since !== null);
    const last = found.findLastIndex((since) => since !== null);
    expect(new Set(found.slice(first, last + 1))).toEqual(new Set([at(week(first))]));
    expect([first, last]).toEqual([3, 28]);
    const [finding] = find(reviews, week(10));
    if (!finding) throw new Error("no finding");
    expect(isLasting(finding, week(first) + 30 * DAY - 1)).toBe(false);
    expect(isLasting(finding, week(first) + 30 * DAY)).toBe(true);
  });

  it("what is removed all week, though restored just for the look, until it is restored for good", () => {
    const monday = (index: number) => LOOK + index * 7 * DAY;
    const old = { arrived: LOOK - 20 * DAY, published: LOOK - 20 * DAY + HOUR };
    // Removed ten minutes after each look, restored ten minutes before the next; after the third week for good.
    const minutes = 60_000;
    const flapping = times(3, (index) => [monday(index) + 10 * minutes, monday(index + 1) - 10 * minutes]).flat();
    const reviews = [
      ...times(30, () => review(1, { ...old, removed: [...flapping] })),
      ...times(60, () => review(5, old)),
    ];
    const found = times(6, (index) => find(reviews, monday(index) + DAY).map(({ since }) => since));
    expect(found).toEqual([[], [at(monday(1))], [at(monday(1))], [at(monday(1))], [], []]);
    // A removal of three days isn't most of the week, unless the review isn't older.
    const short = (published: number) => [
      ...times(30, () => review(1, { arrived: published, published, removed: LOOK - 3 * DAY })),
      ...times(60, () => review(5, { arrived: published, published })),
    ];
    expect(find(short(LOOK - 20 * DAY))).toEqual([]);
    expect(find(short(LOOK - 4 * DAY))).toMatchObject([{ question: "removed", low: { count: 30 } }]);
  });

  it("looks on Mondays, 0:00 UTC", () => {
    expect(at(lookBefore(Date.parse("2026-11-29T23:59:59Z")))).toBe("2026-11-23T00:00:00Z");
    expect(at(lookBefore(Date.parse("2026-11-30T00:00:00Z")))).toBe("2026-11-30T00:00:00Z");
  });
});

/** Whether any look of a year raises an alarm. */
const errs = (reviews: HandledReview[]): boolean =>
  times(53, (index) => START + index * 7 * DAY).some((look) =>
    biasQuestions.some((question) => isAlarm(question, reviews, look)),
  );

it("gives fewer than one in a hundred shops that treat all reviews alike an alarm in a year", () => {
  const shops = propertyRuns(1_000);
  const random = randomFrom(20_261_129);
  const alarms = times(shops, () => {
    const habits = {
      rejected: random() * 0.4,
      removed: random() * 0.2,
      replied: random(),
      hours: 1 + random() * 72,
    };
    const reviews = 40 + Math.floor(random() ** 2 * 560);
    return errs(reviewsOf(random, { reviews, days: 365, lowShare: 0.05 + random() * 0.4, low: habits, high: habits }));
  }).filter(Boolean).length;
  expect(alarms).toBeLessThanOrEqual(shops * FALSE_ALARMS_A_YEAR);
});

describe("finds shops that reject reviews with few stars more often", () => {
  // The table of the README.
  it.each([
    { low: 0.5, high: 0.1, reviews: 220, promised: 0.9 },
    { low: 0.3, high: 0.1, reviews: 690, promised: 0.9 },
    { low: 0.2, high: 0.02, reviews: 460, promised: 0.9 },
  ])("$low instead of $high: with $reviews reviews in $promised of them", ({ low, high, reviews, promised }) => {
    const share = shop.lowShare;
    const ofLow = { reviews: reviews * share, share: low };
    const ofHigh = { reviews: reviews * (1 - share), share: high };
    expect(powerOf(ofLow, ofHigh, { below: ALARM_BELOW, minDifference: 0.1 })).toBeGreaterThanOrEqual(promised);

    const shops = propertyRuns(200);
    const random = randomFrom(reviews);
    const found = times(shops, () => {
      const handled = reviewsOf(random, {
        ...shop,
        reviews: Math.ceil((reviews * 182) / 179),
        low: { ...fair, rejected: low, hours: 1 },
        high: { ...fair, rejected: high, hours: 1 },
      });
      return isAlarm("published", handled, LOOK);
    }).filter(Boolean).length;
    // No less than promised, but for chance: three standard deviations.
    expect(found / shops).toBeGreaterThan(promised - 3 * Math.sqrt((promised * (1 - promised)) / shops));
  });
});
