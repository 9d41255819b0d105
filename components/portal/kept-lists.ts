// What the lists last showed, in this tab: their filters and search words, which may name people. So they are kept only
// in the tab's own storage, for the signed-in person, until sign-out.

export const LISTS_KEY = "candor.lists";

type Kept = { person: string; addresses: Record<string, string> };

/** Not filters: the store, the position in the list, and misplaced credentials. */
const dropped = ["client_id", "after", "item", "token", "api_key"];

function addressesOf(person: string): Kept["addresses"] {
  try {
    const kept: Kept | null = JSON.parse(sessionStorage.getItem(LISTS_KEY) ?? "null");
    return kept?.person === person ? kept.addresses : {};
  } catch {
    return {}; // blocked by the browser, or written by another version
  }
}

/** Keeps an address for the lists that it shows, if any. Removes what another person's lists showed. */
export function keepLists(
  person: string,
  store: string,
  lists: readonly string[],
  pathname: string,
  query: URLSearchParams,
): void {
  const filters = new URLSearchParams(query);
  for (const name of dropped) filters.delete(name);
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
