import { describe, expect, it } from "vitest";
import type { Decider, DecisionType, Entry } from "@/lib/honesty/entry";
import { type ByStars, type Figures, FiguresReader } from "@/lib/honesty/figures";

const START = Date.parse("2026-06-01T00:00:00Z");
const HOUR = 60;
const DAY = 24 * HOUR;
/** The time of an entry, minutes after the start. */
const minute = (minutes: number) => `${new Date(START + minutes * 60_000).toISOString().slice(0, 19)}Z`;

function figuresOf(entries: Entry[], asOf = 30 * DAY): Figures {
  const reader = new FiguresReader();
  for (const entry of entries) reader.read(entry);
  return reader.figures(new Date(minute(asOf)));
}

let count = 0;
const about = (kind: "review" | "seller_review" | "question" = "review") => {
  count += 1;
  return { kind, item: count.toString(16).padStart(32, "0") } as const;
};
type About = ReturnType<typeof about>;

const received = (item: About, minutes: number, stars: number, more: Partial<Entry> = {}): Entry =>
  ({ type: "received", at: minute(minutes), ...item, stars, source: "web", ...more }) as Entry;
const decided = (item: About, minutes: number, type: DecisionType, reason?: string, by: Decider = "person"): Entry => ({
  type,
  at: minute(minutes),
  ...item,
  by,
  ...(reason ? { reason } : {}),
});
const stars = (...counts: [number, number, number, number, number]): ByStars => ({
  total: counts.reduce((sum, one) => sum + one, 0),
  stars: counts,
});

describe("the figures", () => {
  it("count what its author deletes as erased on the author's wish", () => {
    const item = about();
    const deleted = { type: "deleted", at: minute(62), ...item, by: "author" } as const;
    const { reviews } = figuresOf([received(item, 0, 2), decided(item, 61, "published"), deleted]);
    const one = stars(0, 1, 0, 0, 0);
    expect([reviews.erased, reviews.erased_published, reviews.deleted.total]).toEqual([one, one, 0]);
  });

  it("count each review in the state that it's in, with its stars", () => {
    const [published, pending, rejected, removed, deleted, erased, waiting, undone, hidden] = Array.from(
      { length: 9 },
      () => about(),
    );
    const { reviews } = figuresOf([
      received(published as About, 0, 5, { source: "invitation", verified: "buyer" }),
      received(pending as About, 29 * DAY, 4),
      received(rejected as About, 0, 1),
      received(removed as About, 0, 2, { verified: "email" }),
      received(deleted as About, 0, 1),
      received(erased as About, 0, 3),
      received(waiting as About, 1, 1),
      received(undone as About, 1, 5, { source: "import" }),
      received(hidden as About, 1, 5, { source: "import" }),
      decided(published as About, 61, "published", undefined, "rule"),
      decided(rejected as About, 61, "rejected", "spam"),
      decided(removed as About, 61, "published"),
      decided(removed as About, 62, "removed", "illegal"),
      decided(deleted as About, 62, "published"),
      { type: "deleted", at: minute(63), ...(deleted as About), by: "person" },
      decided(erased as About, 62, "published"),
      { type: "erased", at: minute(63), ...(erased as About) },
      decided(undone as About, 63, "published"),
      { type: "deleted", at: minute(64), ...(undone as About), by: "system" },
      decided(hidden as About, 63, "rejected", "spam"),
    ]);
    expect(reviews).toMatchObject({
      received: stars(3, 1, 1, 1, 3),
      published: stars(0, 0, 0, 0, 1),
      pending: stars(1, 0, 0, 1, 0),
      waiting: stars(1, 0, 0, 0, 0),
      rejected: stars(1, 0, 0, 0, 1),
      removed: stars(0, 1, 0, 0, 0),
      deleted: stars(1, 0, 0, 0, 0),
      deleted_published: stars(1, 0, 0, 0, 0),
      undone: stars(0, 0, 0, 0, 1),
      erased: stars(0, 0, 1, 0, 0),
      erased_published: stars(0, 0, 1, 0, 0),
      published_share: { published: stars(0, 0, 0, 0, 1), of: stars(3, 1, 0, 0, 1) },
      reasons: { illegal: stars(0, 1, 0, 0, 0), spam: stars(1, 0, 0, 0, 1) },
      decided_by: { published: { rule: 1, person: 0 }, rejected: { person: 3 } },
      invited: stars(0, 0, 0, 0, 1),
      verified_buyer: stars(0, 0, 0, 0, 1),
      verified_email: stars(0, 0, 0, 0, 0),
    });
  });

  it("count published reviews whose authors were offered something, as known now", () => {
    const [offered, later, withdrawn, hidden] = Array.from({ length: 4 }, () => about());
    const edit = (item: About, incentivized: boolean): Entry =>
      ({
        type: "edited",
        at: minute(9),
        ...item,
        by: "key",
        fields: ["incentivized"],
        stars: 3,
        incentivized,
      }) as Entry;
    const { reviews } = figuresOf([
      received(offered as About, 0, 5, { incentivized: true }),
      received(later as About, 0, 3),
      received(withdrawn as About, 0, 3, { incentivized: true }),
      received(hidden as About, 0, 1, { incentivized: true }),
      ...[offered, later, withdrawn].map((item) => decided(item as About, 1, "published")),
      edit(later as About, true),
      edit(withdrawn as About, false),
      { type: "edited", at: minute(10), ...(offered as About), by: "author", fields: ["score"], stars: 4 },
    ]);
    expect(reviews.incentivized).toEqual(stars(0, 0, 1, 1, 0));
    expect(reviews.store_edits).toMatchObject({ total: 2, fields: { incentivized: 2 } });
  });

  it("count a published review with the stars that it has after an edit", () => {
    const item = about();
    const { reviews } = figuresOf([
      received(item, 0, 1),
      decided(item, 1, "published"),
      { type: "edited", at: minute(2), ...item, by: "author", fields: ["score"], stars: 4 },
      decided(item, 2, "reopened", undefined, "author"),
      decided(item, 3, "published"),
      { type: "edited", at: minute(4), ...item, by: "person", fields: ["score", "title"], stars: 5 },
      { type: "edited", at: minute(5), ...item, by: "key", fields: ["score", "constructor"], stars: 4 },
    ]);
    expect(reviews).toMatchObject({
      received: stars(0, 0, 0, 1, 0),
      published: stars(0, 0, 0, 1, 0),
      author_edits: { total: 1, raised: 1, lowered: 0 },
      store_edits: { total: 2, raised: 1, lowered: 1, fields: { constructor: 1, score: 2, title: 1 } },
    });
  });

  it("give the median and the 90th percentile of the time until a review was published, in minutes rounded down", () => {
    const entries = Array.from({ length: 10 }, (_, index) => {
      const item = about();
      return [
        received(item, 0, 2),
        { ...decided(item, index + 1, "published"), at: `${minute(index + 1).slice(0, 17)}59Z` },
      ];
    }).flat() as Entry[];
    const imported = about();
    const later = about();
    const again = about();
    const { time_to_publish: times } = figuresOf([
      ...entries,
      received(imported, 0, 2, { source: "import" }),
      decided(imported, 9 * HOUR, "published"),
      // From when the author confirmed the address, and until it was first published.
      received(later, 0, 5, { unconfirmed: true }),
      { type: "confirmed", at: minute(DAY), ...later },
      decided(later, DAY + 7, "published"),
      decided(later, DAY + 8, "reopened"),
      decided(later, DAY + 9 * HOUR, "published"),
      // Neither an edit nor a rejection that was taken back starts the time again.
      received(again, 0, 4),
      { type: "edited", at: minute(10), ...again, by: "author", fields: ["title"] },
      decided(again, 20, "rejected", "constructor"),
      decided(again, 30, "reopened"),
      decided(again, 40, "published"),
    ]).reviews;
    expect(times).toEqual({
      count: 12,
      median: 6,
      p90: 10,
      stars: [
        { count: 0, median: null, p90: null },
        { count: 10, median: 5, p90: 9 },
        { count: 0, median: null, p90: null },
        { count: 1, median: 40, p90: 40 },
        { count: 1, median: 7, p90: 7 },
      ],
    });
  });

  it("don't count as waiting what its author hasn't confirmed", () => {
    const reopened = about();
    const { reviews } = figuresOf([
      received(about(), 0, 1, { unconfirmed: true }),
      received(reopened, 0, 2, { unconfirmed: true }),
      decided(reopened, 1, "published"),
      decided(reopened, 2, "reopened"),
    ]);
    expect(reviews).toMatchObject({ pending: { total: 0 }, waiting: { total: 0 }, unconfirmed: stars(1, 1, 0, 0, 0) });
  });

  it("count reasons whose codes are names of JavaScript", () => {
    const item = about();
    const { reviews } = figuresOf([received(item, 0, 1), decided(item, 1, "rejected", "constructor")]);
    expect(reviews.reasons).toEqual({ constructor: stars(1, 0, 0, 0, 0) });
  });

  it("tell what became of reported reviews and which were replied to", () => {
    const [open, kept, gone, reopened] = [about(), about(), about(), about()];
    const all = [open, kept, gone].flatMap((item): Entry[] => [
      received(item, 0, 3),
      decided(item, 1, "published"),
      { type: "reported", at: minute(2), ...item },
      { type: "replied", at: minute(3), ...item },
    ]);
    const { reviews } = figuresOf([
      ...all,
      { type: "reports_closed", at: minute(4), ...kept },
      { type: "reply_removed", at: minute(4), ...kept },
      decided(gone, 4, "removed", "illegal"),
      received(reopened, 0, 1, { unconfirmed: true }),
      decided(reopened, 1, "published"),
      { type: "reported", at: minute(2), ...reopened },
      decided(reopened, 3, "reopened"),
    ]);
    expect(reviews).toMatchObject({
      reports: { total: 4, open: 2, kept: 1, gone: 1 },
      replied: stars(0, 0, 1, 0, 0),
    });
  });

  it("count product and seller reviews apart and together, and questions by state", () => {
    const [product, seller, question] = [about(), about("seller_review"), about("question")];
    const { reviews, product_reviews, seller_reviews, questions } = figuresOf([
      received(product, 0, 1),
      received(seller, 0, 5),
      { type: "received", at: minute(0), ...question, source: "web" },
      decided(question, 1, "published"),
    ]);
    expect([reviews.received.total, product_reviews.received.total, seller_reviews.received.total]).toEqual([2, 1, 1]);
    expect(questions).toEqual({ received: 1, published: 1, pending: 0, rejected: 0, deleted: 0, erased: 0 });
  });

  it("have the store's settings with their changes, its invitations by day and its imports", () => {
    const began = minute(0);
    const figures = figuresOf([
      { type: "began", at: began },
      { type: "settings", at: began, settings: { send_limit: 1 } },
      { type: "settings", at: minute(5), settings: { send_limit: 2 } },
      { type: "invitations", at: minute(6), day: "2026-06-02", sent: 3, skipped: { opted_out: 1 } },
      {
        type: "invitations",
        at: minute(7),
        day: "2026-06-03",
        sent: 2,
        skipped: { opted_out: 1, cooldown: 4, constructor: 1 },
      },
      { type: "import", at: minute(8), of: "reviews", created: 7, updated: 1 },
    ]);
    expect(figures).toMatchObject({
      size: 6,
      began_at: began,
      first_at: began,
      invitations: {
        first_day: "2026-06-02",
        last_day: "2026-06-03",
        sent: 5,
        skipped: { constructor: 1, cooldown: 4, opted_out: 2 },
      },
      imports: { count: 1, created: 7, updated: 1, undone: 0 },
      settings: [{ settings: { send_limit: 1 } }, { at: minute(5), settings: { send_limit: 2 } }],
    });
  });
});

describe("what depends on stars", () => {
  const WEEK = 7 * DAY;
  const readerOf = (entries: Entry[]) => {
    const reader = new FiguresReader();
    for (const entry of entries) reader.read(entry);
    return reader;
  };
  const began: Entry = { type: "began", at: minute(0) };
  const low = Array.from({ length: 25 }, () => about());
  const high = Array.from({ length: 30 }, () => about());
  const published: Entry[] = [
    began,
    ...low.flatMap((item) => [received(item, 0, 1), decided(item, HOUR, "published")]),
    ...high.flatMap((item) => [received(item, 0, 5), decided(item, HOUR, "published")]),
  ];

  it("isn't what authors delete, published or not", () => {
    const deleted = (by: Decider) => low.map((item): Entry => ({ type: "deleted", at: minute(2 * DAY), ...item, by }));
    const pending = published.filter(
      (entry) => entry.type !== "published" || high.some(({ item }) => item === entry.item),
    );
    const asOf = new Date(minute(2 * WEEK));
    expect(readerOf([...published, ...deleted("author")]).bias(asOf)).toEqual([]);
    expect(readerOf([...pending, ...deleted("author")]).bias(asOf)).toEqual([]);
    expect(readerOf([...published, ...deleted("person")]).bias(asOf)).toMatchObject([{ question: "removed" }]);
    expect(readerOf([...pending, ...deleted("person")]).bias(asOf)).toMatchObject([{ question: "published" }]);
  });

  it("lasts if reviews are restored and removed again, or replies removed and written again, between looks", () => {
    const remove = (minutes: number) => low.map((item) => decided(item, minutes, "removed"));
    const restore = (minutes: number) => low.map((item) => decided(item, minutes, "restored"));
    const reply = (minutes: number, type: "replied" | "reply_removed") =>
      high.map((item): Entry => ({ type, at: minute(minutes), ...item }));
    const reader = readerOf([...published, ...remove(DAY), ...reply(DAY, "replied")]);
    const found = [
      { question: "removed", since: minute(WEEK) },
      { question: "replied", since: minute(WEEK) },
    ];
    expect(reader.bias(new Date(minute(WEEK)))).toMatchObject(found);
    for (let week = 1; week < 4; week += 1) {
      const day = week * WEEK + DAY;
      for (const entry of [...restore(day), ...reply(day, "reply_removed")]) reader.read(entry);
      for (const entry of [...remove(day + DAY), ...reply(day + DAY, "replied")]) reader.read(entry);
      expect(reader.bias(new Date(minute((week + 1) * WEEK)))).toMatchObject(found);
    }
    for (const entry of [...restore(5 * WEEK - 1), ...reply(5 * WEEK - 1, "reply_removed")]) reader.read(entry);
    expect(reader.bias(new Date(minute(5 * WEEK)))).toMatchObject(found);
    expect(reader.bias(new Date(minute(6 * WEEK)))).toEqual([]);
  });
});
