import type { Actor } from "@/lib/auth/actor";
import { type DecidedKind, decidedKinds } from "@/lib/moderation/schema";
import { QueueFilter } from "@/lib/queue/schema";

/**
 * Whether what waits at a client is in the queue of somebody who may decide there: with `own_moderation` in that of the
 * client's own people, else in the operator's. An operator of the client's own account is one of its people.
 */
export const isInQueueOf = (
  actor: Pick<Actor, "role" | "accountId">,
  client: { own_moderation: boolean; account_id: string },
): boolean =>
  client.own_moderation
    ? actor.role !== "operator" || actor.accountId === client.account_id
    : actor.role === "operator";

/**
 * Whether the list leaves out what waits for its author: where the client confirms addresses nobody answers for it yet.
 * Who asks for it, or searches for something of it, finds it.
 */
export const hidesUnverified = (client: { require_verification: boolean }, filter: QueueFilter): boolean =>
  client.require_verification && filter.status === "pending" && !filter.unverified && filter.q === undefined;

/** Pending reviews are answered in the order they came; what is decided is looked up, newest first. */
export const isOldestFirst = (filter: Pick<QueueFilter, "status">): boolean => filter.status === "pending";

/**
 * The kinds that a filter can let through. Where all kinds are shown, the shop's own answers are among them only while
 * they wait for a decision.
 */
export function kindsOf(filter: QueueFilter): DecidedKind[] {
  const possible = decidedKinds.filter(
    (kind) =>
      (!filter.reported || kind === "review") &&
      (!filter.unverified || kind === "review" || kind === "question") &&
      (!filter.verified || kind === "review" || kind === "seller_review") &&
      (!filter.unreplied || kind !== "answer"),
  );
  if (filter.kind) return possible.filter((kind) => kind === filter.kind);
  return filter.status === "pending" ? possible : possible.filter((kind) => kind !== "answer");
}

/** Whether an item with this decision still belongs to the list of this filter's status. */
export function belongs(filter: Pick<QueueFilter, "status">, accepted: boolean | null): boolean {
  if (filter.status === "all") return true;
  return accepted === (filter.status === "pending" ? null : filter.status === "accepted");
}

/** The filter that an address stands for. What it says wrongly is left out, so that an old link still opens. */
export function readFilter(query: (name: string) => string | null | undefined): QueueFilter {
  const given = Object.fromEntries(
    Object.entries(QueueFilter.shape).flatMap(([name, field]) => {
      const value = query(name) || undefined;
      return value !== undefined && field.safeParse(value).success ? [[name, value]] : [];
    }),
  );
  return QueueFilter.parse(given);
}
