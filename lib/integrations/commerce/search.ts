import type { Pair } from "./sign-oauth1";

// The platform's search criteria: filters within a group are combined with OR, groups with AND.

export type Filter = {
  field: string;
  value: string | number;
  condition?: "eq" | "gt" | "gteq" | "lteq" | "in" | "nin";
};

export type Search = {
  groups: Filter[][];
  /** ascending, in this order; the platform's default is descending */
  sort?: string[];
  descending?: true;
  size: number;
  page?: number;
  /** requested response fields, such as `items[sku,name],total_count` */
  fields?: string;
};

/** A configured URL, with the filters and parameters of its query. */
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
 * Parses a configured URL. Its filters apply to every request, its page size is the maximum, and its page, sorting and
 * fields are ignored. Accepts both spellings of parameters, `pageSize` and `page_size`.
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

/** Query parameters of a search. */
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

/** A time in the platform's format: UTC without an offset. */
export const storeTime = (moment: Date): string => moment.toISOString().slice(0, 19).replace("T", " ");

/** Parses a time in the platform's format; null for anything else. */
export function readStoreTime(text: unknown): Date | null {
  if (typeof text !== "string") return null;
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text);
  const moment = found ? new Date(`${found[1]}T${found[2]}Z`) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment : null;
}
