// The entries of a store's log. Each is one line of JSON. Entries have no personal data, no texts and no ids from
// outside: an item is known by a reference of its own, its content by a salted hash.

/** A text that customers write, or a photo of one. */
export const loggedKinds = ["review", "seller_review", "question", "answer", "photo"] as const;
export type LoggedKind = (typeof loggedKinds)[number];

/** Who decided or edited. `rule`: one of the store's rules; `key`: a program with an API key. */
export const deciders = ["author", "rule", "person", "key", "system"] as const;
export type Decider = (typeof deciders)[number];

export const decisionTypes = ["published", "rejected", "removed", "restored", "reopened"] as const;
export type DecisionType = (typeof decisionTypes)[number];

/**
 * Events of an item without further fields. `confirmed`: the author confirmed the address. `appealed`: the author appealed a
 * rejection; `reopened` follows, and the next decision is the outcome.
 */
export const plainTypes = [
  "confirmed",
  "appealed",
  "erased",
  "replied",
  "reply_edited",
  "reply_removed",
  "reported",
  "reports_closed",
  "photo_hidden",
  "photo_shown",
] as const;
export type PlainType = (typeof plainTypes)[number];

type AboutItem = {
  /** UTC, in seconds: `2026-11-29T17:00:00Z` */
  at: string;
  kind: LoggedKind;
  /** The item's reference: 32 hexadecimal digits, from its salt. */
  item: string;
};

/** A text arrived. What is unknown, since the text was erased before it was logged, is left out. */
export type ReceivedEntry = AboutItem & {
  type: "received";
  /** 1 to 5; questions have none. */
  stars?: number;
  source?: "invitation" | "web" | "collect" | "api" | "import";
  /** The author bought the product, or confirmed the address. */
  verified?: "buyer" | "email";
  /** The author was offered something for it. */
  incentivized?: true;
  /** The author is asked to confirm the address first: the store doesn't decide until then. */
  unconfirmed?: true;
  /** 64 hexadecimal digits: see `contentHash`. */
  content?: string;
};

/**
 * A change of state, also of a rejection's reason. From pending: `published` or `rejected`. `removed`: was published, is rejected. `restored`: was
 * rejected, is published. `reopened`: pending again. `reason`: the code of a rejection.
 */
export type DecisionEntry = AboutItem & { type: DecisionType; by: Decider; reason?: string };

/**
 * A text was changed. `stars` and `content` are those afterwards; `fields` names what changed. `incentivized`, if that changed:
 * whether the author was offered something, as known afterwards.
 */
export type EditedEntry = AboutItem & {
  type: "edited";
  by: Decider;
  fields: string[];
  stars?: number;
  incentivized?: boolean;
  content?: string;
};

/** Deleted by the shop, its author or an undone import. */
export type DeletedEntry = AboutItem & { type: "deleted"; by: Decider };

export type PlainEntry = AboutItem & { type: PlainType };

/**
 * What became of orders' items on a day: asked about that day, or not asked about although it was the last day to. Each
 * item counts on one day at most. Days on which nothing did have no entry.
 */
export type InvitationsEntry = {
  type: "invitations";
  at: string;
  /** `2026-11-28`, in the store's time zone */
  day: string;
  /** The number of items that invitations sent that day asked about. */
  sent: number;
  /** Numbers of items that weren't asked about, by the code of that day's reason. */
  skipped: Record<string, number>;
};

/** The settings that decide whom the shop asks and what it publishes. The first such entry has those at the log's start. */
export type SettingsEntry = { type: "settings"; at: string; settings: Record<string, unknown> };

/** An import finished. */
export type ImportEntry = {
  type: "import";
  at: string;
  of: "reviews" | "seller_reviews" | "questions";
  created: number;
  updated: number;
};

/** An import was undone, which had created this many: each that was left has its `deleted`. */
export type ImportUndoneEntry = { type: "import_undone"; at: string; of: ImportEntry["of"]; created: number };

/** A key begins to sign the log's checkpoints, or signs no more: a verifier key of signed notes. */
export type KeyEntry = { type: "key" | "key_retired"; at: string; key: string };

/** The first entry. Later ones with an earlier time were made from the history that the store had before its log. */
export type BeganEntry = { type: "began"; at: string };

export type Entry =
  | ReceivedEntry
  | DecisionEntry
  | EditedEntry
  | DeletedEntry
  | PlainEntry
  | InvitationsEntry
  | SettingsEntry
  | ImportEntry
  | ImportUndoneEntry
  | KeyEntry
  | BeganEntry;
