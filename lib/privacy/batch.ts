import type { PoolClient } from "pg";

/** Kinds of removed rows. `copies`: outbox events, runs, links, stored responses and the like. */
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

/** Field names of removed ids in outbox events. */
export type RemovedIdName =
  | "customer_id"
  | "order_id"
  | "invitation_id"
  | "mail_id"
  | "review_id"
  | "seller_review_id"
  | "question_id";

/**
 * One transaction's part of an erasure. `remaining` is the number of rows it may still remove; removing functions
 * report what they remove and stop at zero. Removed ids are collected for follow-ups in the same transaction.
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

  /** Counts rows against `remaining`. */
  countRemoved(what: Removable, count: number): void {
    this.remaining -= count;
    this.addRemoved(what, count);
  }

  /** Counts rows removed along with others. */
  addRemoved(what: Removable, count: number): void {
    if (count > 0) this.removed[what] = (this.removed[what] ?? 0) + count;
  }
}

/** Adds the counts. */
export function sum(a: Removed, b: Removed): Removed {
  const both = removable.map((what) => [what, (a[what] ?? 0) + (b[what] ?? 0)] as const);
  return Object.fromEntries(both.filter(([, count]) => count > 0));
}
