import { type BiasFinding, changeTo, findBias, type HandledReview, isLasting } from "@/lib/honesty/bias/find-bias";
import type { Decider, Entry, InvitationsEntry, ReceivedEntry } from "@/lib/honesty/entry";

// The figures of a store's public page, from the entries of its log alone. Also part of the verifier, so it imports
// nothing that needs a server.

/** Reviews in total, and those with one to five stars. The stars of a review that was erased early can be unknown. */
export type ByStars = { total: number; stars: [number, number, number, number, number] };

export type ByDecider = Record<Decider, number>;

/**
 * Minutes from when a review arrived, or its author confirmed the address, until it was published for the first time: whole
 * minutes, rounded down.
 * `median` and `p90`: the least number of minutes in which at least 50% or 90% of these reviews were published. Null
 * without reviews.
 */
export type Times = { count: number; median: number | null; p90: number | null };

/**
 * What became of reviews. Each is counted with the stars that it has now. Every received review is in exactly one of
 * `published`, `pending`, `unconfirmed`, `rejected`, `removed`, `deleted`, `undone` and `erased`.
 */
export type ReviewFigures = {
  received: ByStars;
  published: ByStars;
  /** Not decided yet. */
  pending: ByStars;
  /** Of the pending ones, those that have been so for more than seven days. */
  waiting: ByStars;
  /** The author hasn't confirmed the address, so the store doesn't decide. */
  unconfirmed: ByStars;
  /** Rejected, and never published. */
  rejected: ByStars;
  /** Published before, rejected now. */
  removed: ByStars;
  /** Deleted by the store. */
  deleted: ByStars;
  /** Of the deleted ones, those that were published at that time. */
  deleted_published: ByStars;
  /** Deleted with an import that was undone. */
  undone: ByStars;
  /** Deleted with the author's personal data. */
  erased: ByStars;
  /** Of the erased ones, those that were published at that time. */
  erased_published: ByStars;
  /**
   * Without imported reviews: the published ones, and all that could be published by now (`of`), which are these, the
   * rejected, the removed, the deleted and the waiting ones.
   */
  published_share: { published: ByStars; of: ByStars };
  /** The reasons of those that are rejected or removed, by code. */
  reasons: Record<string, ByStars>;
  /** Who published the published ones, and rejected the rejected and removed ones. */
  decided_by: { published: ByDecider; rejected: ByDecider };
  /** How long it took to publish; imported reviews don't count. */
  time_to_publish: Times & { stars: [Times, Times, Times, Times, Times] };
  /** Of the published ones, by where they come from. */
  invited: ByStars;
  imported: ByStars;
  /** Of the published ones: the author bought the product, as known when the review was received. */
  verified_buyer: ByStars;
  /** Of the published ones that aren't from a known buyer: the author confirmed the address. */
  verified_email: ByStars;
  /** Of the published ones: the author was offered something for it. */
  incentivized: ByStars;
  /** Published ones that the store has replied to. */
  replied: ByStars;
  /** How often somebody else than the author edited a review, how often this raised or lowered the stars, and how often each field. */
  store_edits: { total: number; raised: number; lowered: number; fields: Record<string, number> };
  /** How often authors edited theirs, and how often this raised or lowered the stars. */
  author_edits: { total: number; raised: number; lowered: number };
  /** Reviews that visitors reported: not decided yet, kept, and no longer published (rejected, deleted or erased). */
  reports: { total: number; open: number; kept: number; gone: number };
};

/** Questions by state. */
export type QuestionFigures = Record<"received" | "published" | "pending" | "rejected" | "deleted" | "erased", number>;

export type Figures = {
  /** The time that "pending for more than seven days" refers to, in UTC. */
  as_of: string;
  /** The number of the log's entries. */
  size: number;
  /** When the log began; null before its first entry. Entries with an earlier time were made from the history then. */
  began_at: string | null;
  /** The time of the earliest entry. */
  first_at: string | null;
  /** Product reviews and seller reviews together. */
  reviews: ReviewFigures;
  product_reviews: ReviewFigures;
  seller_reviews: ReviewFigures;
  questions: QuestionFigures;
  /** What has depended on stars for 30 days or longer. */
  bias: BiasFinding[];
  /** Orders' items that were evaluated: invited, and not invited by reason. Null if the log has no such days. */
  invitations: { first_day: string; last_day: string; sent: number; skipped: Record<string, number> } | null;
  /** Imports of reviews: finished ones, and undone ones. */
  imports: { count: number; created: number; updated: number; undone: number };
  /** The settings that decide whom the store asks and what it publishes: at first, and after each change. */
  settings: { at: string; settings: Record<string, unknown> }[];
};

const SEVEN_DAYS = 7 * 86_400_000;

type Edits = Pick<ReviewFigures, "author_edits"> & {
  store_edits: ReviewFigures["author_edits"] & { fields: Map<string, number> };
};

type State = "published" | "pending" | "unconfirmed" | "rejected" | "removed" | "deleted" | "undone" | "erased";

type Item = {
  kind: "review" | "seller_review" | "question";
  state: State;
  stars: number;
  source: ReceivedEntry["source"];
  verified: ReceivedEntry["verified"];
  incentivized: boolean;
  /** The author has confirmed the address, or needn't. */
  isConfirmed: boolean;
  /** When it arrived, or its author confirmed the address, in milliseconds. */
  arrived: number;
  /** Since when its present text could be decided, in milliseconds. */
  since: number;
  /** Minutes until it was first published; undefined before. */
  minutes: number | undefined;
  wasPublished: boolean;
  /** Of a deleted or erased one. */
  endedPublished: boolean;
  by: Decider;
  reason: string;
  replies: number;
  reported: "no" | "open" | "closed";
  /** What became of it, for comparing by stars. */
  handled: HandledReview;
  /** The store has decided on it, or did. */
  isDecided: boolean;
};

/** Reads a log's entries in order, and gives the figures of what it has read. */
export class FiguresReader {
  readonly #items = new Map<string, Item>();
  readonly #edits: Record<"review" | "seller_review", Edits> = {
    review: noEdits(),
    seller_review: noEdits(),
  };
  readonly #settings: Figures["settings"] = [];
  readonly #imports = { count: 0, created: 0, updated: 0, undone: 0 };
  #invitations: { first_day: string; last_day: string; sent: number; skipped: Map<string, number> } | null = null;
  #size = 0;
  #began: string | null = null;
  #first: string | null = null;

  /** Reads the next entry. Ignores types that it doesn't know. */
  read(entry: Entry): void {
    this.#size += 1;
    if (this.#first === null || entry.at < this.#first) this.#first = entry.at;
    switch (entry.type) {
      case "began":
        this.#began ??= entry.at;
        return;
      case "settings":
        this.#settings.push({ at: entry.at, settings: entry.settings });
        return;
      case "import":
        this.#imports.count += 1;
        this.#imports.created += entry.created;
        this.#imports.updated += entry.updated;
        return;
      case "import_undone":
        this.#imports.undone += 1;
        return;
      case "invitations":
        this.#addInvitations(entry);
        return;
      default:
        if ("item" in entry) this.#readItem(entry);
    }
  }

  #addInvitations({ day, sent, skipped }: InvitationsEntry): void {
    const known = this.#invitations ?? { first_day: day, last_day: day, sent: 0, skipped: new Map() };
    if (day < known.first_day) known.first_day = day;
    if (day > known.last_day) known.last_day = day;
    known.sent += sent;
    for (const [reason, items] of Object.entries(skipped)) addTo(known.skipped, reason, items);
    this.#invitations = known;
  }

  #readItem(entry: Extract<Entry, { item: string }>): void {
    const { kind } = entry;
    if (kind === "photo" || kind === "answer") return;
    const at = Date.parse(entry.at);
    const item = this.#itemOf(kind, entry.item, at);
    readHandled(item, entry, at);
    switch (entry.type) {
      case "received":
        item.stars = entry.stars ?? 0;
        item.source = entry.source;
        item.verified = entry.verified;
        item.incentivized = entry.incentivized === true;
        item.isConfirmed = entry.unconfirmed !== true;
        if (!item.isConfirmed) item.state = "unconfirmed";
        return;
      case "confirmed":
        item.verified ??= "email";
        if (!item.isConfirmed) item.arrived = at;
        item.isConfirmed = true;
        if (item.state !== "unconfirmed") return;
        item.state = "pending";
        item.since = at;
        return;
      case "published":
      case "restored":
        item.minutes ??= Math.max(0, Math.floor((at - item.arrived) / 60_000));
        item.state = "published";
        item.wasPublished = true;
        item.by = entry.by;
        return;
      case "rejected":
      case "removed":
        item.state = item.wasPublished || entry.type === "removed" ? "removed" : "rejected";
        item.by = entry.by;
        item.reason = entry.reason ?? "unspecified";
        return;
      case "reopened":
        item.state = item.isConfirmed ? "pending" : "unconfirmed";
        item.since = at;
        return;
      case "edited":
        this.#readEdit(item, entry, at);
        return;
      case "deleted":
        item.endedPublished = item.state === "published";
        // Only an undone import deletes by itself; what its author deletes counts as erased on the author's wish.
        item.state = entry.by === "system" ? "undone" : entry.by === "author" ? "erased" : "deleted";
        return;
      case "erased":
        item.endedPublished = item.state === "published";
        item.state = "erased";
        return;
      case "replied":
        item.replies += 1;
        return;
      case "reply_removed":
        item.replies -= 1;
        return;
      case "reported":
        item.reported = "open";
        return;
      case "reports_closed":
        item.reported = "closed";
        return;
    }
  }

  #itemOf(kind: Item["kind"], reference: string, at: number): Item {
    const key = `${kind}:${reference}`;
    const known = this.#items.get(key);
    if (known) return known;
    const item: Item = {
      kind,
      state: "pending",
      stars: 0,
      source: undefined,
      verified: undefined,
      incentivized: false,
      isConfirmed: true,
      arrived: at,
      since: at,
      minutes: undefined,
      wasPublished: false,
      endedPublished: false,
      by: "system",
      reason: "unspecified",
      replies: 0,
      reported: "no",
      handled: { stars: 0, arrived: at, published: null, rejected: null, removed: null, ended: null, replied: null },
      isDecided: false,
    };
    this.#items.set(key, item);
    return item;
  }

  #readEdit(item: Item, entry: Extract<Entry, { type: "edited" }>, at: number): void {
    // A pending text that its author changes has to be read again.
    if (item.state === "pending" && entry.by === "author") item.since = at;
    const before = item.stars;
    item.stars = entry.stars ?? before;
    item.incentivized = entry.incentivized ?? item.incentivized;
    if (item.kind === "question") return;
    const { author_edits, store_edits } = this.#edits[item.kind];
    const edits = entry.by === "author" ? author_edits : store_edits;
    edits.total += 1;
    if (before > 0 && item.stars > before) edits.raised += 1;
    if (before > 0 && item.stars < before) edits.lowered += 1;
    if (entry.by === "author") return;
    for (const field of entry.fields) addTo(store_edits.fields, field, 1);
  }

  #bias: { asOf: number; size: number; findings: BiasFinding[] } | null = null;

  /** What depends on stars, also what hasn't for long. */
  bias(asOf: Date): BiasFinding[] {
    const [time, size] = [asOf.getTime(), this.#size];
    if (this.#bias?.asOf !== time || this.#bias.size !== size)
      this.#bias = { asOf: time, size, findings: this.#findBias(time) };
    return this.#bias.findings;
  }

  #findBias(asOf: number): BiasFinding[] {
    const began = this.#began === null ? Number.POSITIVE_INFINITY : Date.parse(this.#began);
    const reviews: HandledReview[] = [];
    for (const { kind, source, isConfirmed, handled, arrived } of this.#items.values()) {
      if (kind === "question" || source === "import" || !isConfirmed) continue;
      handled.arrived = arrived;
      reviews.push(handled);
    }
    return findBias(reviews, began, asOf);
  }

  /** The figures of the entries read so far. */
  figures(asOf: Date): Figures {
    const tallies = { review: newTally(), seller_review: newTally() };
    const questions = { received: 0, published: 0, pending: 0, rejected: 0, deleted: 0, erased: 0 };
    for (const item of this.#items.values()) {
      if (item.kind === "question") addQuestion(questions, item);
      else addReview(tallies[item.kind], item, asOf.getTime());
    }
    const { review, seller_review } = tallies;
    return {
      as_of: `${asOf.toISOString().slice(0, 19)}Z`,
      size: this.#size,
      began_at: this.#began,
      first_at: this.#first,
      reviews: toFigures([review, seller_review], Object.values(this.#edits)),
      product_reviews: toFigures([review], [this.#edits.review]),
      seller_reviews: toFigures([seller_review], [this.#edits.seller_review]),
      questions,
      bias: this.bias(asOf).filter((finding) => isLasting(finding, asOf.getTime())),
      invitations: this.#invitations && { ...this.#invitations, skipped: sorted(this.#invitations.skipped) },
      imports: { ...this.#imports },
      settings: [...this.#settings],
    };
  }
}

/** Reads what an entry says about how the store handled a review, before the item's state changes. */
function readHandled(item: Item, entry: Extract<Entry, { item: string }>, at: number): void {
  const { handled } = item;
  switch (entry.type) {
    case "received":
      handled.stars = entry.stars ?? 0;
      return;
    case "edited":
      if (!item.isDecided && entry.by === "author") handled.stars = entry.stars ?? handled.stars;
      return;
    case "published":
    case "restored":
      item.isDecided = true;
      handled.published ??= at;
      handled.removed = changeTo(false, handled.removed, at);
      return;
    case "rejected":
    case "removed":
      item.isDecided = true;
      decideAgainst(item, at);
      return;
    case "reopened":
      handled.rejected = null;
      return;
    case "deleted":
      // An undone import, or its author: neither is the store's decision.
      if (entry.by === "system" || entry.by === "author") handled.ended ??= at;
      else decideAgainst(item, at);
      return;
    case "erased":
      handled.ended ??= at;
      return;
    case "replied":
      handled.replied = changeTo(true, handled.replied, at);
      return;
    case "reply_removed":
      if (item.replies <= 1) handled.replied = changeTo(false, handled.replied, at);
      return;
  }
}

/** The first time counts: a review that was removed can be deleted later. */
function decideAgainst({ handled, wasPublished }: Item, at: number): void {
  if (wasPublished) handled.removed = changeTo(true, handled.removed, at);
  else handled.rejected ??= at;
}

const none = (): ByStars => ({ total: 0, stars: [0, 0, 0, 0, 0] });
const noDeciders = (): ByDecider => ({ author: 0, rule: 0, person: 0, key: 0, system: 0 });
const noEdits = (): Edits => ({
  store_edits: { total: 0, raised: 0, lowered: 0, fields: new Map() },
  author_edits: { total: 0, raised: 0, lowered: 0 },
});

/** In the order of the keys, so that equal logs give equal JSON. */
const sorted = <T>(entries: Iterable<[string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

function addTo(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function count(where: ByStars, { stars }: Item): void {
  where.total += 1;
  if (stars >= 1 && stars <= 5) where.stars[stars - 1] = (where.stars[stars - 1] ?? 0) + 1;
}

/** What is counted by stars. */
const counted = [
  "received",
  "published",
  "pending",
  "waiting",
  "unconfirmed",
  "rejected",
  "removed",
  "deleted",
  "deleted_published",
  "undone",
  "erased",
  "erased_published",
  "invited",
  "imported",
  "verified_buyer",
  "verified_email",
  "incentivized",
  "replied",
] as const satisfies (keyof ReviewFigures)[];

/** The counts of one kind of reviews. `minutes`: until they were published, by stars; 0 for unknown ones. */
type Tally = Record<(typeof counted)[number], ByStars> &
  Pick<ReviewFigures, "published_share" | "decided_by" | "reports"> & {
    reasons: Map<string, ByStars>;
    minutes: number[][];
  };

const newTally = (): Tally => ({
  ...(Object.fromEntries(counted.map((name) => [name, none()])) as Record<(typeof counted)[number], ByStars>),
  published_share: { published: none(), of: none() },
  reasons: new Map(),
  decided_by: { published: noDeciders(), rejected: noDeciders() },
  reports: { total: 0, open: 0, kept: 0, gone: 0 },
  minutes: [[], [], [], [], [], []],
});

/** States of reviews that the store has decided on. */
const decidedStates: State[] = ["published", "rejected", "removed", "deleted"];
const shownOrPending: State[] = ["published", "pending", "unconfirmed"];

function addReview(tally: Tally, item: Item, asOf: number): void {
  const { state } = item;
  const isWaiting = state === "pending" && asOf - item.since > SEVEN_DAYS;
  count(tally.received, item);
  count(tally[state], item);
  if (item.source !== "import") {
    if (state === "published") count(tally.published_share.published, item);
    if (isWaiting || decidedStates.includes(state)) count(tally.published_share.of, item);
  }
  if (item.reported !== "no") {
    tally.reports.total += 1;
    if (!shownOrPending.includes(state)) tally.reports.gone += 1;
    else tally.reports[item.reported === "open" ? "open" : "kept"] += 1;
  }
  if (item.minutes !== undefined && item.source !== "import") tally.minutes[item.stars]?.push(item.minutes);
  if (isWaiting) count(tally.waiting, item);
  if (state === "deleted" && item.endedPublished) count(tally.deleted_published, item);
  if (state === "erased" && item.endedPublished) count(tally.erased_published, item);
  if (state === "rejected" || state === "removed") {
    tally.decided_by.rejected[item.by] += 1;
    const known = tally.reasons.get(item.reason) ?? none();
    tally.reasons.set(item.reason, known);
    count(known, item);
  }
  if (state !== "published") return;
  tally.decided_by.published[item.by] += 1;
  if (item.source === "invitation") count(tally.invited, item);
  if (item.source === "import") count(tally.imported, item);
  if (item.verified === "buyer") count(tally.verified_buyer, item);
  if (item.verified === "email") count(tally.verified_email, item);
  if (item.incentivized) count(tally.incentivized, item);
  if (item.replies > 0) count(tally.replied, item);
}

function addQuestion(questions: QuestionFigures, { state }: Item): void {
  questions.received += 1;
  questions[
    state === "unconfirmed" ? "pending" : state === "removed" ? "rejected" : state === "undone" ? "deleted" : state
  ] += 1;
}

/** The figures of one kind of reviews, or of both. */
function toFigures(tallies: Tally[], edits: Edits[]): ReviewFigures {
  const reasons = new Map<string, ByStars>();
  for (const tally of tallies)
    for (const [reason, one] of tally.reasons) reasons.set(reason, sumOfStars([reasons.get(reason) ?? none(), one]));
  const minutes = [0, 1, 2, 3, 4, 5].map((stars) => tallies.flatMap((tally) => tally.minutes[stars] ?? []));
  return {
    ...(Object.fromEntries(counted.map((name) => [name, sumOfStars(tallies.map((tally) => tally[name]))])) as Record<
      (typeof counted)[number],
      ByStars
    >),
    published_share: {
      published: sumOfStars(tallies.map(({ published_share }) => published_share.published)),
      of: sumOfStars(tallies.map(({ published_share }) => published_share.of)),
    },
    reasons: sorted(reasons),
    decided_by: {
      published: sumOfRecords(tallies.map(({ decided_by }) => decided_by.published)),
      rejected: sumOfRecords(tallies.map(({ decided_by }) => decided_by.rejected)),
    },
    time_to_publish: {
      ...timesOf(minutes.flat()),
      stars: minutes.slice(1).map(timesOf) as ReviewFigures["time_to_publish"]["stars"],
    },
    store_edits: {
      ...sumOfRecords(edits.map(({ store_edits: { total, raised, lowered } }) => ({ total, raised, lowered }))),
      fields: sorted(sumOfCounts(edits.map(({ store_edits }) => store_edits.fields))),
    },
    author_edits: sumOfRecords(edits.map(({ author_edits }) => author_edits)),
    reports: sumOfRecords(tallies.map(({ reports }) => reports)),
  };
}

const sumOfStars = (all: ByStars[]): ByStars => ({
  total: all.reduce((sum, { total }) => sum + total, 0),
  stars: [0, 1, 2, 3, 4].map((index) =>
    all.reduce((sum, { stars }) => sum + (stars[index] ?? 0), 0),
  ) as ByStars["stars"],
});

/** Numbers by name, added up. */
function sumOfCounts(all: Iterable<[string, number]>[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const one of all) for (const [name, value] of one) addTo(sum, name, value);
  return sum;
}

const sumOfRecords = <R extends Record<string, number>>(all: R[]): R =>
  Object.fromEntries(sumOfCounts(all.map(Object.entries))) as R;

function timesOf(minutes: number[]): Times {
  const ordered = Float64Array.from(minutes).sort();
  const percentile = (share: number) => ordered[Math.ceil(ordered.length * share) - 1] ?? null;
  return { count: ordered.length, median: percentile(0.5), p90: percentile(0.9) };
}
