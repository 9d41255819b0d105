import type { PoolClient } from "pg";

/** Rows that went, by what they were. `copies`: facts, runs, links, kept answers and the like. */
export const removable = [
  "customers",
  "orders",
  "reviews",
  "seller_reviews",
  "questions",
  "images",
  "invitations",
  "mails",
  "copies",
] as const;
export type Removable = (typeof removable)[number];
export type Removed = Partial<Record<Removable, number>>;

/** Names under which facts call the ids of what went. */
export type RemovedIdName =
  | "customer_id"
  | "order_id"
  | "invitation_id"
  | "mail_id"
  | "review_id"
  | "seller_review_id"
  | "question_id";

/**
 * One transaction's part of an erasure. `room` is how many rows it may still take; whoever takes some says so, and stops
 * at none. What it took is remembered for what must follow in the same transaction.
 */
export class Batch {
  readonly removed: Removed = {};
  readonly removedIds: Record<RemovedIdName, string[]> = {
    customer_id: [],
    order_id: [],
    invitation_id: [],
    mail_id: [],
    review_id: [],
    seller_review_id: [],
    question_id: [],
  };

  constructor(
    readonly db: PoolClient,
    readonly clientId: string,
    readonly erasureId: string,
    public remaining: number,
  ) {}

  /** Rows that count against the room. */
  countRemoved(what: Removable, count: number): void {
    this.remaining -= count;
    this.addRemoved(what, count);
  }

  /** Rows that went along with others. */
  addRemoved(what: Removable, count: number): void {
    if (count > 0) this.removed[what] = (this.removed[what] ?? 0) + count;
  }
}

/** Both together. */
export function sum(a: Removed, b: Removed): Removed {
  const both = removable.map((what) => [what, (a[what] ?? 0) + (b[what] ?? 0)] as const);
  return Object.fromEntries(both.filter(([, count]) => count > 0));
}
