import type { Entry, LoggedKind } from "@/lib/honesty/entry";
import { Mismatch } from "@/lib/honesty/verifier/mismatch";
import type { Check, Head } from "@/lib/honesty/verifier/verify-log";

type State = "pending" | "published" | "rejected" | "gone";
/** `isWhole`: received after the log began, so that its log lacks nothing. */
type Item = { kind: LoggedKind; state?: State; stars?: number; isWhole: boolean };
type AboutItem = Extract<Entry, { item: string }>;

/** What an item is after each type of decision, and what it must have been before. */
const transitions = {
  published: { from: ["pending"], to: "published" },
  // A rejection's reason can be changed.
  rejected: { from: ["pending", "rejected"], to: "rejected" },
  removed: { from: ["published"], to: "rejected" },
  restored: { from: ["rejected"], to: "published" },
  reopened: { from: ["published", "rejected"], to: "pending" },
} as const satisfies Record<string, { from: readonly State[]; to: State }>;

/** Photos and answers come with the text that they belong to, and have its state at first. */
const isReceived = (kind: LoggedKind): boolean => kind !== "photo" && kind !== "answer";

/**
 * What always holds for items: received once and before anything else, decided only from the right state, and nothing
 * more once erased or deleted. An item from before the log may lack parts of its history.
 */
export class ItemRules implements Check {
  readonly #items = new Map<string, Item>();
  #began = "";
  #isHistory = true;

  add(entry: Entry, index: number): void {
    if (index === 0 && entry.type !== "began") throw new Mismatch(`Entry 0 is not the log's beginning: ${entry.type}.`);
    if (entry.type === "began") {
      if (index > 0) throw new Mismatch(`Entry ${index}: the log began already with entry 0.`);
      this.#began = entry.at;
    }
    if ("item" in entry) this.#addToItem(entry, index);
  }

  end(): void {}

  /** Numbers of published product reviews with one to five stars, as far as the log knows their stars and state. */
  publishedReviews(): number[] {
    const counts = [0, 0, 0, 0, 0];
    for (const { kind, state, stars } of this.#items.values())
      if (kind === "review" && state === "published" && stars) counts[stars - 1]! += 1;
    return counts;
  }

  #addToItem(entry: AboutItem, index: number): void {
    const fail = (what: string) =>
      new Mismatch(`Entry ${index} (${entry.type}, ${entry.kind} ${entry.item}): ${what}.`);
    // History comes first: a later entry can't claim to be older than the log.
    this.#isHistory &&= entry.at < this.#began;
    const isHistory = this.#isHistory;
    let item = this.#items.get(entry.item);
    if (entry.type === "received") {
      if (item) throw fail("the item was received or decided before");
      item = { kind: entry.kind, state: "pending", isWhole: !isHistory };
    } else if (!item) {
      if (isReceived(entry.kind) && !isHistory) throw fail("the item was never received");
      item = { kind: entry.kind, isWhole: false };
    }
    this.#items.set(entry.item, item);
    if (item.kind !== entry.kind) throw fail(`the item is a ${item.kind}`);
    if (item.state === "gone") throw fail("the item was erased or deleted before");
    if ("stars" in entry) item.stars = entry.stars;
    if (entry.type === "appealed" && item.isWhole && item.state !== "rejected")
      throw fail(`the item was ${item.state}`);
    if (entry.type === "erased" || entry.type === "deleted") item.state = "gone";
    if (!(entry.type in transitions)) return;
    const { from, to } = transitions[entry.type as keyof typeof transitions];
    if (item.isWhole && !(from as readonly State[]).includes(item.state!)) throw fail(`the item was ${item.state}`);
    item.state = to;
  }
}

/** The checkpoint is signed by a key that the log itself announces. */
export class KeyRules implements Check {
  readonly #keys = new Set<string>();

  /** The keys that sign now. */
  get keys(): string[] {
    return [...this.#keys];
  }

  add(entry: Entry, index: number): void {
    if (entry.type === "key") this.#keys.add(entry.key);
    if (entry.type === "key_retired" && !this.#keys.delete(entry.key))
      throw new Mismatch(`Entry ${index}: a key ends that wasn't announced, ${entry.key}.`);
  }

  end({ signedBy, size, note }: Head): void {
    if (size > 0 && !signedBy.some((verifier) => this.#keys.has(verifier.text)))
      throw new Mismatch("The checkpoint is not signed by a key that the log announces.", [note]);
  }
}

/** Numbers of entries by type, for the report. */
export class Counts implements Check {
  readonly byType = new Map<string, number>();

  add({ type }: Entry): void {
    this.byType.set(type, (this.byType.get(type) ?? 0) + 1);
  }

  end(): void {}
}
