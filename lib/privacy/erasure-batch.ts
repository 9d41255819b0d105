import type { PoolClient } from "pg";

/** Kinds of removed rows. `copies`: outbox events, runs, links, stored responses and the like. */
export const removableKinds = [
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
export type RemovableKind = (typeof removableKinds)[number];
export type RemovedCounts = Partial<Record<RemovableKind, number>>;

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
export class ErasureBatch {
  readonly removed: RemovedCounts = {};
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
  countRemoved(what: RemovableKind, count: number): void {
    this.remaining -= count;
    this.addRemoved(what, count);
  }

  /** Counts rows removed along with others. */
  addRemoved(what: RemovableKind, count: number): void {
    if (count > 0) this.removed[what] = (this.removed[what] ?? 0) + count;
  }
}

/** Adds the counts. */
export function addRemovedCounts(a: RemovedCounts, b: RemovedCounts): RemovedCounts {
  const both = removableKinds.map((what) => [what, (a[what] ?? 0) + (b[what] ?? 0)] as const);
  return Object.fromEntries(both.filter(([, count]) => count > 0));
}
