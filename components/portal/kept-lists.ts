// What the lists last showed, in this tab: their filters and search words, which may name people. So they are kept only
// in the tab's own storage, for the signed-in person, until sign-out.

const KEY = "candor.lists";

type Kept = { person: string; addresses: Record<string, string> };

/** Not filters: the store, the position in the list, and misplaced credentials. */
const dropped = ["client_id", "after", "item", "token", "api_key"];

function addressesOf(person: string): Kept["addresses"] {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.person === person ? kept.addresses : {};
  } catch {
    return {}; // blocked by the browser, or written by another version
  }
}

/** Keeps an address for the lists that it shows. Replaces what another person's lists showed. */
export function keepLists(
  person: string,
  store: string,
  lists: readonly string[],
  { pathname, query }: { pathname: string; query: URLSearchParams },
): void {
  if (lists.length === 0) return;
  const filters = new URLSearchParams(query);
  for (const name of dropped) filters.delete(name);
  const address = filters.size > 0 ? `${pathname}?${filters}` : pathname;
  const given = Object.fromEntries(lists.map((list) => [`${store} ${list}`, address]));
  try {
    const kept: Kept = { person, addresses: { ...addressesOf(person), ...given } };
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // blocked or full: nothing is kept
  }
}

/** The address that a store's list last had, without the store. */
export const keptList = (person: string, store: string, list: string): string | undefined =>
  addressesOf(person)[`${store} ${list}`];

/** Forgets what the lists showed, and recent results of the search (search-entries.ts). */
export function forgetTab(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "");
    for (const key of keys) if (key === KEY || key.startsWith("candor.recent.")) sessionStorage.removeItem(key);
  } catch {
    // blocked by the browser
  }
}
