import type { Actor } from "@/lib/accounts/actor";
import type { QueueFilter, QueueView } from "@/lib/moderation/queue/schema";
import { filterFields } from "@/lib/moderation/queue/values";
import { type DecidedKind, decidedKinds } from "@/lib/reviews/decisions/schema";

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

/** Whether a filter has parts that no index serves, so that rows are looked through one by one. */
export const needsScan = (client: { require_verification: boolean }, filter: QueueFilter): boolean =>
  hidesUnverified(client, filter) ||
  [filter.source, filter.lang, filter.verified, filter.photo, filter.unreplied, filter.text, filter.reason].some(
    Boolean,
  ) ||
  [filter.product, filter.brand, filter.words].some(Boolean);

/** Pending reviews are answered in the order they came; what is decided is looked up, newest first. */
export const isOldestFirst = (filter: Pick<QueueFilter, "status">): boolean => filter.status === "pending";

/**
 * The kinds that a filter can let through. Where all kinds are shown, the shop's own answers, and photos beside what they
 * came with, are among them only while they wait for a decision.
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
      // Where a photo came from, and what was said with it, is told of that.
      (kind !== "photo" || !(filter.source ?? filter.lang ?? filter.text ?? filter.words)),
  );
  if (filter.kind) return possible.filter((kind) => kind === filter.kind);
  return filter.status === "pending" ? possible : possible.filter((kind) => kind !== "answer" && kind !== "photo");
}

/** Whether an item with this decision still belongs to the list of this filter's status. */
export function matchesStatus(filter: Pick<QueueFilter, "status">, accepted: boolean | null): boolean {
  if (filter.status === "all") return true;
  return accepted === (filter.status === "pending" ? null : filter.status === "accepted");
}

/** The filter that an address stands for. What it says wrongly is left out, so that an old link still opens. */
export function readFilter(query: (name: string) => string | null | undefined): QueueFilter {
  const given = Object.entries(filterFields).flatMap(([name, field]) => {
    const value = query(name);
    const fits = typeof field === "function" ? field : (text: string) => (field as readonly string[]).includes(text);
    return value && fits(value) ? [[name, value]] : [];
  });
  return { status: "pending", ...Object.fromEntries(given) };
}

/** The words of a filter in an address, in one order: two filters are the same where these are. */
export function filterQueryString(filter: QueueFilter): string {
  const words = new URLSearchParams();
  for (const name of Object.keys(filterFields).sort()) {
    const value = filter[name as keyof QueueFilter];
    if (value !== undefined) words.set(name, value);
  }
  return words.toString();
}

/** Ways to look at the queue that everybody has. None goes by the score. */
export const systemViews: Pick<QueueView, "id" | "filter">[] = [
  {
    id: "waiting",
    filter: { status: "pending" },
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
