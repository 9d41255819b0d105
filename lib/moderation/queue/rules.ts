import type { Actor } from "@/lib/accounts/actor";
import type { QueueFilter, QueueView } from "@/lib/moderation/queue/schema";
import { filterFields } from "@/lib/moderation/queue/values";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";

/**
 * Whether a client's pending items are in the queue of somebody who may decide there: the client's team with
 * `own_moderation`, else operators. An operator of the client's own account counts as a team member.
 */
export const isInQueueOf = (
  actor: Pick<Actor, "role" | "accountId">,
  client: { own_moderation: boolean; account_id: string },
): boolean =>
  client.own_moderation
    ? actor.role !== "operator" || actor.accountId === client.account_id
    : actor.role === "operator";

/** Whether the list hides items awaiting email verification. A filter for them, or a search, shows them. */
export const hidesUnverified = (client: { require_verification: boolean }, filter: QueueFilter): boolean =>
  client.require_verification && filter.status === "pending" && !filter.unverified && filter.q === undefined;

/** Whether an index finds a kind's items by the filter's reason: that of rejected items. */
export const hasReasonIndex = ({ status }: Pick<QueueFilter, "status">, kind: DecidedKind): boolean =>
  status === "rejected" && kind !== "answer" && kind !== "photo";

/** Whether a filter has parts without an index, so that rows are scanned. */
export const needsScan = (client: { require_verification: boolean }, filter: QueueFilter): boolean =>
  hidesUnverified(client, filter) ||
  [filter.source, filter.lang, filter.verified, filter.photo, filter.unreplied, filter.text].some(Boolean) ||
  (filter.unverified !== undefined && filter.status !== "pending") ||
  (filter.reason !== undefined && kindsOf(filter).some((kind) => !hasReasonIndex(filter, kind))) ||
  [filter.product, filter.brand, filter.words, filter.assigned === "none"].some(Boolean);

/** Pending items are sorted oldest first, others newest first. */
export const isOldestFirst = (filter: Pick<QueueFilter, "status">): boolean => filter.status === "pending";

/**
 * The kinds a filter can match. If all kinds are shown, the store's answers, and photos, are included only while
 * pending.
 */
export function kindsOf(filter: QueueFilter): DecidedKind[] {
  const possible = decidedKinds.filter(
    (kind) =>
      (!filter.reported || kind === "review") &&
      (!filter.unverified || kind === "review" || kind === "question") &&
      (!filter.verified || kind === "review" || kind === "seller_review") &&
      (!filter.unreplied || (kind !== "answer" && kind !== "photo")) &&
      (!filter.product || kind === "review" || kind === "question" || kind === "photo") &&
      (!filter.brand || kind === "review" || kind === "question") &&
      // These filters don't apply to photos.
      (kind !== "photo" || !(filter.source ?? filter.lang ?? filter.text ?? filter.words)),
  );
  if (filter.kind) return possible.filter((kind) => kind === filter.kind);
  return filter.status === "pending" ? possible : possible.filter((kind) => kind !== "answer" && kind !== "photo");
}

/** Whether an item with this decision still matches the filter's status. */
export function matchesStatus(filter: Pick<QueueFilter, "status">, accepted: boolean | null): boolean {
  if (filter.status === "all") return true;
  return accepted === (filter.status === "pending" ? null : filter.status === "accepted");
}

/** Parses a filter from a URL. Drops invalid values, so that old links still work. */
export function readFilter(query: (name: string) => string | null | undefined): QueueFilter {
  const given = Object.entries(filterFields).flatMap(([name, field]) => {
    const value = query(name);
    const fits = typeof field === "function" ? field : (text: string) => (field as readonly string[]).includes(text);
    return value && fits(value) ? [[name, value]] : [];
  });
  return { status: "pending", ...Object.fromEntries(given) };
}

/** A filter's query string in a fixed order: equal filters have equal strings. */
export function filterQueryString(filter: QueueFilter): string {
  const words = new URLSearchParams();
  for (const name of Object.keys(filterFields).sort()) {
    const value = filter[name as keyof QueueFilter];
    if (value !== undefined) words.set(name, value);
  }
  return words.toString();
}

/** Views that everyone has. None filters by score. */
export const systemViews: Pick<QueueView, "id" | "filter">[] = [
  {
    id: "waiting",
    filter: { status: "pending" },
  },
  {
    id: "assigned",
    filter: { status: "pending", assigned: "me" },
  },
  {
    id: "waiting-photo",
    filter: { status: "pending", photo: "1" },
  },
  {
    id: "photos",
    filter: { kind: "photo", status: "pending" },
  },
  {
    id: "waiting-day",
    filter: { status: "pending", age: "day" },
  },
  {
    id: "reported",
    filter: { kind: "review", status: "accepted", reported: "1" },
  },
  {
    id: "unanswered",
    filter: { kind: "question", status: "accepted", unreplied: "1" },
  },
  { id: "unreplied", filter: { kind: "review", status: "accepted", unreplied: "1" } },
  { id: "fake", filter: { status: "rejected", reason: "spam" } },
];
