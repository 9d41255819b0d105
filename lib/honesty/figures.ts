import type { Decider, Entry, InvitationsEntry, LoggedKind, ReceivedEntry } from "@/lib/honesty/entry";

// The figures of a store's public page, from the entries of its log alone. Also part of the verifier, so it imports
// nothing but types.

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
  /** Orders' items that were evaluated: invited, and not invited by reason. Null if the log has no such days. */
  invitations: { first_day: string; last_day: string; sent: number; skipped: Record<string, number> } | null;
  /** Imports of reviews: finished ones, and undone ones. */
  imports: { count: number; created: number; updated: number; undone: number };
  /** The settings that decide whom the store asks and what it publishes: at first, and after each change. */
  settings: { at: string; settings: Record<string, unknown> }[];
};

const SEVEN_DAYS = 7 * 86_400_000;

type State = "published" | "pending" | "unconfirmed" | "rejected" | "removed" | "deleted" | "undone" | "erased";

type Item = {
  kind: LoggedKind;
  state: State;
  stars: number;
  source: ReceivedEntry["source"];
  verified: ReceivedEntry["verified"];
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
};

/** Reads a log's entries in order, and gives the figures of what it has read. */
export class FiguresReader {
  readonly #items = new Map<string, Item>();
  readonly #edits: Record<"review" | "seller_review", Pick<ReviewFigures, "store_edits" | "author_edits">> = {
    review: noEdits(),
    seller_review: noEdits(),
  };
  readonly #settings: Figures["settings"] = [];
  readonly #imports = { count: 0, created: 0, updated: 0, undone: 0 };
  #invitations: Figures["invitations"] = null;
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
    const known = this.#invitations ?? { first_day: day, last_day: day, sent: 0, skipped: emptyRecord<number>() };
    if (day < known.first_day) known.first_day = day;
    if (day > known.last_day) known.last_day = day;
    known.sent += sent;
    for (const [reason, count] of Object.entries(skipped)) known.skipped[reason] = (known.skipped[reason] ?? 0) + count;
    this.#invitations = known;
  }

  #readItem(entry: Extract<Entry, { item: string }>): void {
    if (entry.kind === "photo" || entry.kind === "answer") return;
    const at = Date.parse(entry.at);
    const item = this.#itemOf(entry, at);
    switch (entry.type) {
      case "received":
        item.stars = entry.stars ?? 0;
        item.source = entry.source;
        item.verified = entry.verified;
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
        // Only an undone import deletes by itself.
        item.state = entry.by === "system" ? "undone" : "deleted";
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

  #itemOf({ kind, item: reference }: Extract<Entry, { item: string }>, at: number): Item {
    const key = `${kind}:${reference}`;
    const known = this.#items.get(key);
    if (known) return known;
    const item: Item = {
      kind,
      state: "pending",
      stars: 0,
      source: undefined,
      verified: undefined,
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
    };
    this.#items.set(key, item);
    return item;
  }

  #readEdit(item: Item, entry: Extract<Entry, { type: "edited" }>, at: number): void {
    // A pending text that its author changes has to be read again.
    if (item.state === "pending" && entry.by === "author") item.since = at;
    const before = item.stars;
    item.stars = entry.stars ?? before;
    if (item.kind !== "review" && item.kind !== "seller_review") return;
    const { author_edits, store_edits } = this.#edits[item.kind];
    const edits = entry.by === "author" ? author_edits : store_edits;
    edits.total += 1;
    if (before > 0 && item.stars > before) edits.raised += 1;
    if (before > 0 && item.stars < before) edits.lowered += 1;
    if (entry.by === "author") return;
    for (const field of entry.fields) store_edits.fields[field] = (store_edits.fields[field] ?? 0) + 1;
  }

  /** The figures of the entries read so far. */
  figures(asOf: Date): Figures {
    const items = [...this.#items.values()];
    const product = reviewFigures(items, ["review"], asOf, [this.#edits.review]);
    const seller = reviewFigures(items, ["seller_review"], asOf, [this.#edits.seller_review]);
    return {
      as_of: `${asOf.toISOString().slice(0, 19)}Z`,
      size: this.#size,
      began_at: this.#began,
      first_at: this.#first,
      reviews: reviewFigures(items, ["review", "seller_review"], asOf, Object.values(this.#edits)),
      product_reviews: product,
      seller_reviews: seller,
      questions: questionFigures(items),
      invitations: this.#invitations && { ...this.#invitations, skipped: sorted(this.#invitations.skipped) },
      imports: { ...this.#imports },
      settings: [...this.#settings],
    };
  }
}

/** Numbers by the codes of a log. Without a prototype, so that no code is there from the beginning, like `constructor`. */
const emptyRecord = <T>(): Record<string, T> => Object.create(null);

const none = (): ByStars => ({ total: 0, stars: [0, 0, 0, 0, 0] });
const noDeciders = (): ByDecider => ({ author: 0, rule: 0, person: 0, key: 0, system: 0 });
const noEdits = () => ({
  store_edits: { total: 0, raised: 0, lowered: 0, fields: emptyRecord<number>() },
  author_edits: { total: 0, raised: 0, lowered: 0 },
});

/** In the order of the keys, so that equal logs give equal JSON. */
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

function count(where: ByStars, { stars }: Item): void {
  where.total += 1;
  if (stars >= 1 && stars <= 5) where.stars[stars - 1] = (where.stars[stars - 1] ?? 0) + 1;
}

/** States in which a review was decided on, by the store. */
const shareStates: State[] = ["published", "rejected", "removed", "deleted"];
const shownOrPending: State[] = ["published", "pending", "unconfirmed"];

function reviewFigures(
  items: Item[],
  kinds: LoggedKind[],
  asOf: Date,
  edits: Pick<ReviewFigures, "store_edits" | "author_edits">[],
): ReviewFigures {
  const by: Record<State, ByStars> = {
    published: none(),
    pending: none(),
    unconfirmed: none(),
    rejected: none(),
    removed: none(),
    deleted: none(),
    undone: none(),
    erased: none(),
  };
  const more = {
    received: none(),
    waiting: none(),
    deleted_published: none(),
    erased_published: none(),
    invited: none(),
    imported: none(),
    verified_buyer: none(),
    verified_email: none(),
    replied: none(),
  };
  const share = { published: none(), of: none() };
  const reasons = emptyRecord<ByStars>();
  const decidedBy = { published: noDeciders(), rejected: noDeciders() };
  const reports = { total: 0, open: 0, kept: 0, gone: 0 };
  const minutes: number[][] = [[], [], [], [], [], []];
  for (const item of items) {
    if (!kinds.includes(item.kind)) continue;
    const { state } = item;
    const isWaiting = state === "pending" && asOf.getTime() - item.since > SEVEN_DAYS;
    count(more.received, item);
    count(by[state], item);
    if (item.source !== "import") {
      if (state === "published") count(share.published, item);
      if (isWaiting || shareStates.includes(state)) count(share.of, item);
    }
    if (item.reported !== "no") {
      reports.total += 1;
      if (!shownOrPending.includes(state)) reports.gone += 1;
      else reports[item.reported === "open" ? "open" : "kept"] += 1;
    }
    if (item.minutes !== undefined && item.source !== "import") minutes[item.stars]?.push(item.minutes);
    if (isWaiting) count(more.waiting, item);
    if (state === "deleted" && item.endedPublished) count(more.deleted_published, item);
    if (state === "erased" && item.endedPublished) count(more.erased_published, item);
    if (state === "rejected" || state === "removed") {
      decidedBy.rejected[item.by] += 1;
      reasons[item.reason] ??= none();
      count(reasons[item.reason] as ByStars, item);
    }
    if (state !== "published") continue;
    decidedBy.published[item.by] += 1;
    if (item.source === "invitation") count(more.invited, item);
    if (item.source === "import") count(more.imported, item);
    if (item.verified === "buyer") count(more.verified_buyer, item);
    if (item.verified === "email") count(more.verified_email, item);
    if (item.replies > 0) count(more.replied, item);
  }
  return {
    ...by,
    ...more,
    published_share: share,
    reasons: sorted(reasons),
    decided_by: decidedBy,
    time_to_publish: {
      ...timesOf(minutes.flat()),
      stars: minutes.slice(1).map(timesOf) as ReviewFigures["time_to_publish"]["stars"],
    },
    ...sumOfEdits(edits),
    reports,
  };
}

function timesOf(minutes: number[]): Times {
  const ordered = Float64Array.from(minutes).sort();
  const percentile = (share: number) => ordered[Math.ceil(ordered.length * share) - 1] ?? null;
  return { count: ordered.length, median: percentile(0.5), p90: percentile(0.9) };
}

function sumOfEdits(
  edits: Pick<ReviewFigures, "store_edits" | "author_edits">[],
): Pick<ReviewFigures, "store_edits" | "author_edits"> {
  const sum = noEdits();
  for (const { store_edits, author_edits } of edits) {
    sum.store_edits.total += store_edits.total;
    sum.store_edits.raised += store_edits.raised;
    sum.store_edits.lowered += store_edits.lowered;
    for (const [field, times] of Object.entries(store_edits.fields))
      sum.store_edits.fields[field] = (sum.store_edits.fields[field] ?? 0) + times;
    sum.author_edits.total += author_edits.total;
    sum.author_edits.raised += author_edits.raised;
    sum.author_edits.lowered += author_edits.lowered;
  }
  sum.store_edits.fields = sorted(sum.store_edits.fields);
  return sum;
}

function questionFigures(items: Item[]): QuestionFigures {
  const figures = { received: 0, published: 0, pending: 0, rejected: 0, deleted: 0, erased: 0 };
  for (const { kind, state } of items) {
    if (kind !== "question") continue;
    figures.received += 1;
    figures[
      state === "unconfirmed" ? "pending" : state === "removed" ? "rejected" : state === "undone" ? "deleted" : state
    ] += 1;
  }
  return figures;
}
