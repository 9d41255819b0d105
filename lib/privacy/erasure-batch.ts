import type { PoolClient } from "pg";

/** Kinds of erased rows. `copies`: outbox events, runs, links, stored responses and the like. */
export const erasableKinds = [
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
export type ErasableKind = (typeof erasableKinds)[number];
export type ErasedCounts = Partial<Record<ErasableKind, number>>;

/** Field names of erased ids in outbox events. */
export type ErasedIdName =
  | "customer_id"
  | "order_id"
  | "invitation_id"
  | "mail_id"
  | "review_id"
  | "seller_review_id"
  | "question_id";

/**
 * One transaction of an erasure. `remaining`: rows that it may still erase; the functions of `erase-rows.ts` count
 * theirs and stop at zero. Erased ids are collected for follow-ups in the same transaction.
 */
export class ErasureBatch {
  readonly erased: ErasedCounts = {};
  readonly erasedIds: Record<ErasedIdName, string[]> = {
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
  countErased(what: ErasableKind, count: number): void {
    this.remaining -= count;
    this.addErased(what, count);
  }

  /** Counts rows erased along with others. */
  addErased(what: ErasableKind, count: number): void {
    if (count > 0) this.erased[what] = (this.erased[what] ?? 0) + count;
  }
}

/** Adds the counts. */
export function addErasedCounts(a: ErasedCounts, b: ErasedCounts): ErasedCounts {
  const both = erasableKinds.map((what) => [what, (a[what] ?? 0) + (b[what] ?? 0)] as const);
  return Object.fromEntries(both.filter(([, count]) => count > 0));
}
