import type { Destination } from "@/components/portal/destinations";
import { hasRole } from "@/lib/accounts/sign-in/rules";
import type { Role } from "@/lib/platform/http/contract";
import type { SearchResult } from "@/lib/search/schema";
import type { SearchKind } from "@/lib/search/values";

/** Lower case and without accents, as in the search of the database. */
const plain = (text: string): string => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The first entries whose names have words beginning with all words of `q`. */
function findNamed<T>(all: readonly T[], nameOf: (entry: T) => string, q: string, limit: number): T[] {
  const given = wordsOf(q);
  if (given.length === 0) return [];
  const matches = (entry: T) => {
    const words = wordsOf(nameOf(entry));
    return given.every((start) => words.some((word) => word.startsWith(start)));
  };
  return all.filter(matches).slice(0, limit);
}

/** Pages, settings and actions that a role may see. */
export const findDestinations = (all: readonly Destination[], role: Role, q: string, limit: number): Destination[] =>
  findNamed(
    all.filter((destination) => hasRole(role, destination.role)),
    ({ name }) => name,
    q,
    limit,
  );

/** Stores by their names and ids. */
export const findStores = <S extends { id: string; display_name: string }>(
  all: readonly S[],
  q: string,
  limit: number,
): S[] => findNamed(all, ({ id, display_name }) => `${display_name} ${id}`, q, limit);

/** The page of a result, without its store. A customer's page is the list of their orders. */
export function pathOf({ kind, id }: Pick<SearchResult, "kind" | "id">): string {
  const folders: Record<Exclude<SearchKind, "customer">, string> = {
    order: "orders",
    product: "products",
    review: "reviews",
    seller_review: "seller_reviews",
    question: "questions",
  };
  return kind === "customer"
    ? `/portal/orders?q=${encodeURIComponent(id)}`
    : `/portal/${folders[kind]}/${encodeURIComponent(id)}`;
}

const MAX_RECENT = 6;
const recentKey = (clientId: string) => `candor.recent.${clientId}`;

/** What this tab opened from the search lately: no customers, and nothing that names them. */
export function readRecent(clientId: string): SearchResult[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(recentKey(clientId)) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return []; // blocked by the browser, or written by another version
  }
}

export function saveRecent(clientId: string, { kind, id, title, score }: SearchResult): void {
  if (kind === "customer") return;
  const others = readRecent(clientId).filter((other) => other.kind !== kind || other.id !== id);
  const kept = [{ kind, id, title, detail: null, text: null, score }, ...others].slice(0, MAX_RECENT);
  try {
    sessionStorage.setItem(recentKey(clientId), JSON.stringify(kept));
  } catch {
    // blocked or full: nothing is recent
  }
}
