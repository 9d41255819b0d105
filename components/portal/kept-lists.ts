// What the lists last showed, in this tab: their filters and search words, which may name people. So they are kept only
// in the tab's own storage, for the signed-in person, until sign-out.

const LISTS_KEY = "candor.lists";

/** Recent results of the search (search-entries.ts), by store. */
const RECENT_PREFIX = "candor.recent.";

type Kept = { person: string; addresses: Record<string, string> };

/** Not filters: the store, the position in the list, and misplaced credentials. */
const dropped = ["client_id", "after", "item", "token", "api_key"];

function readKept(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(LISTS_KEY) ?? "null");
  } catch {
    return null; // blocked by the browser, or written by another version
  }
}

const addressesOf = (person: string): Kept["addresses"] => {
  const kept = readKept();
  return kept?.person === person ? kept.addresses : {};
};

/** Clears the signed-out person's filters and recent searches. */
export function forgetTab(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, index) => sessionStorage.key(index) ?? "");
    for (const key of keys) if (key === LISTS_KEY || key.startsWith(RECENT_PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // blocked by the browser
  }
}

/** Keeps an address for the lists that it shows, if any. Clears what another person left in the tab. */
export function keepLists(
  person: string,
  store: string,
  lists: readonly string[],
  pathname: string,
  query: URLSearchParams,
): void {
  const filters = new URLSearchParams(query);
  for (const name of dropped) filters.delete(name);
  const before = readKept();
  if (before && before.person !== person) forgetTab();
  const addresses = addressesOf(person);
  for (const list of lists) addresses[`${store} ${list}`] = filters.size > 0 ? `${pathname}?${filters}` : pathname;
  try {
    sessionStorage.setItem(LISTS_KEY, JSON.stringify({ person, addresses } satisfies Kept));
  } catch {
    // blocked or full: nothing is kept
  }
}

/** The address that a store's list last had, without the store. */
export const keptList = (person: string, store: string, list: string): string | undefined =>
  addressesOf(person)[`${store} ${list}`];
