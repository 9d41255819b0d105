import type { Pair } from "./sign-oauth1";

// The platform's search criteria: filters of one group are alternatives, the groups must all hold.

export type Filter = {
  field: string;
  value: string | number;
  condition?: "eq" | "gt" | "gteq" | "lteq" | "in" | "nin";
};

export type Search = {
  groups: Filter[][];
  /** ascending, in this order; the platform's own default is descending */
  sort?: string[];
  descending?: true;
  size: number;
  page?: number;
  /** which members of the answer are wanted, as `items[sku,name],total_count` */
  fields?: string;
};

/** An address that a client gave: where it leads, and what its query asks for already. */
export type ListAddress = {
  url: URL;
  groups: Filter[][];
  others: Pair[];
  size: number | null;
};

const criteria = /^search_?criteria(?:\[|$)/i;
const filterPart =
  /^search_?criteria\[filter_?groups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(field|value|condition_?type)\]$/i;
const sizePart = /^search_?criteria\[page_?size\]$/i;

/**
 * Takes an address apart. Its filters hold for everything that is asked of it; its page, sorting and fields are ours to
 * choose, its page size is the most it wants. Parameters are known in both spellings, `pageSize` and `page_size`.
 */
export function readListAddress(address: string): ListAddress {
  const url = new URL(address);
  const filters = new Map<string, Map<string, Partial<Record<string, string>>>>();
  const others: Pair[] = [];
  let size: number | null = null;
  for (const [name, value] of url.searchParams) {
    const part = filterPart.exec(name);
    if (part) {
      const [, group = "", at = "", key = ""] = part;
      const members = filters.get(group) ?? new Map<string, Partial<Record<string, string>>>();
      const filter = members.get(at) ?? {};
      filters.set(group, members.set(at, filter));
      filter[key.replace("_", "").toLowerCase()] = value;
    } else if (sizePart.test(name)) size = Number.parseInt(value, 10) || null;
    else if (!criteria.test(name) && name !== "fields") others.push([name, value]);
  }
  const groups = [...filters.values()]
    .map((group) =>
      [...group.values()].flatMap(({ field, value = "", conditiontype }): Filter[] =>
        field
          ? [
              {
                field,
                value,
                condition: (conditiontype || "eq") as Filter["condition"],
              },
            ]
          : [],
      ),
    )
    .filter((group) => group.length > 0);
  url.search = "";
  url.hash = "";
  return { url, groups, others, size };
}

/** The parameters that ask for a search. */
export function searchPairs(
  { groups, sort = [], descending, size, page = 1, fields }: Search,
  others: Pair[] = [],
): Pair[] {
  const pairs: Pair[] = [...others];
  groups.forEach((group, g) => {
    group.forEach(({ field, value, condition = "eq" }, f) => {
      const name = `searchCriteria[filter_groups][${g}][filters][${f}]`;
      pairs.push([`${name}[field]`, field], [`${name}[value]`, String(value)], [`${name}[condition_type]`, condition]);
    });
  });
  sort.forEach((field, at) => {
    const name = `searchCriteria[sortOrders][${at}]`;
    pairs.push([`${name}[field]`, field], [`${name}[direction]`, descending ? "DESC" : "ASC"]);
  });
  pairs.push(["searchCriteria[pageSize]", String(size)], ["searchCriteria[currentPage]", String(page)]);
  if (fields) pairs.push(["fields", fields]);
  return pairs;
}

/** A moment as the platform writes it: UTC, and nothing says so. */
export const storeTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace("T", " ");

/** The moment that such a text means; null for anything else. */
export function readStoreTime(text: unknown): Date | null {
  if (typeof text !== "string") return null;
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  const moment = found ? new Date(`${found[1]}T${found[2]}Z`) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment : null;
}
