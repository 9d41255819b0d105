// The platform's search criteria, as a store evaluates them.

export type Entity = Record<string, unknown>;
type Condition = { field: string; value: string; condition: string };
export type SearchCriteria = {
  groups: Condition[][];
  sort: { field: string; descending: boolean }[];
  /** null: everything */
  size: number | null;
  page: number;
};

/** An error in the platform's format: the message and its parameters separately. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly parameters?: unknown,
  ) {
    super(message);
  }
}

/** Parses PHP's syntax: `a[b][c]` is a path. Both spellings of a name are accepted. */
export function parseSearchCriteria(query: [string, string][]): SearchCriteria {
  if (!query.some(([name]) => /^search_?criteria/i.test(name)))
    throw new ApiError(400, '"%fieldName" is required. Enter and try again.', { fieldName: "searchCriteria" });
  const criteria: SearchCriteria = { groups: [], sort: [], size: null, page: 1 };
  for (const [name, value] of query) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    if (!/^search_?criteria$/i.test(path[0] ?? "")) continue;
    const [, kind = "", one = "0", , two = "0", key = ""] = path;
    const section = kind.replace("_", "").toLowerCase();
    if (section === "pagesize") criteria.size = Number(value);
    else if (section === "currentpage") criteria.page = Math.max(1, Number(value));
    else if (section === "filtergroups") {
      criteria.groups[Number(one)] ??= [];
      const group = criteria.groups[Number(one)] as Condition[];
      group[Number(two)] ??= { field: "", value: "", condition: "eq" };
      const condition = group[Number(two)] as Condition;
      const part = key.replace("_", "").toLowerCase();
      if (part === "conditiontype") condition.condition = value;
      else if (part === "field" || part === "value") condition[part] = value;
    } else if (section === "sortorders") {
      criteria.sort[Number(one)] ??= { field: "", descending: true };
      const order = criteria.sort[Number(one)] as SearchCriteria["sort"][number];
      if (path[3] === "field") order.field = value;
      if (path[3] === "direction") order.descending = value.toUpperCase() !== "ASC";
    }
  }
  criteria.groups = criteria.groups
    .map((group) => group.filter((one) => one.field !== ""))
    .filter((group) => group.length > 0);
  criteria.sort = criteria.sort.filter(({ field }) => field !== "");
  return criteria;
}

/** The requested rows in order, and their total number. `columns`: columns that filters may use. */
export function search(
  rows: Entity[],
  criteria: SearchCriteria,
  columns: string[],
  { clamp }: { clamp: boolean },
): { rows: Entity[]; total: number } {
  for (const { field } of [...criteria.groups.flat(), ...criteria.sort])
    if (!columns.includes(field)) throw new ApiError(500, `Column not found: ${field}`);
  const found = rows.filter((row) => criteria.groups.every((group) => group.some((one) => matches(row, one))));
  found.sort((one, other) => {
    for (const { field, descending } of criteria.sort) {
      const order = compare(one[field], other[field]);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  if (!criteria.size) return { rows: found, total: found.length };
  const last = Math.max(1, Math.ceil(found.length / criteria.size));
  const page = clamp ? Math.min(criteria.page, last) : criteria.page;
  return { rows: found.slice((page - 1) * criteria.size, page * criteria.size), total: found.length };
}

function compare(one: unknown, other: unknown): number {
  const [a, b] = [Number(one), Number(other)];
  if (Number.isFinite(a) && Number.isFinite(b)) return a - b;
  return String(one ?? "") < String(other ?? "") ? -1 : String(one ?? "") > String(other ?? "") ? 1 : 0;
}

function matches(row: Entity, { field, value, condition }: Condition): boolean {
  const own = row[field];
  const list = value.split(",");
  const same = (text: string) => own !== undefined && compare(own, text) === 0;
  const like = () =>
    new RegExp(
      `^${value
        .split("%")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join(".*")}$`,
      "is",
    );
  switch (condition) {
    case "eq":
      return same(value);
    case "neq":
      return !same(value);
    case "gt":
      return own !== undefined && compare(own, value) > 0;
    case "gteq":
    case "moreq":
    case "from":
      return own !== undefined && compare(own, value) >= 0;
    case "lt":
      return own !== undefined && compare(own, value) < 0;
    case "lteq":
    case "to":
      return own !== undefined && compare(own, value) <= 0;
    case "in":
      return list.some(same);
    case "nin":
      return !list.some(same);
    case "like":
      return like().test(String(own ?? ""));
    case "nlike":
      return !like().test(String(own ?? ""));
    case "finset":
      return String(own ?? "")
        .split(",")
        .includes(value);
    case "nfinset":
      return !String(own ?? "")
        .split(",")
        .includes(value);
    case "null":
      return own === undefined;
    case "notnull":
      return own !== undefined;
    default:
      throw new ApiError(400, "Invalid condition type: %1", [condition]);
  }
}

/** The part of a response that `fields` selects: `items[sku,items[name]],total_count`. */
export function selectFields(value: unknown, fields: string): unknown {
  return pick(value, parse(fields, 0).tree);
}

type Tree = Map<string, Tree | null>;

function parse(text: string, from: number): { tree: Tree; end: number } {
  const tree: Tree = new Map();
  let name = "";
  let at = from;
  for (; at < text.length && text[at] !== "]"; at++) {
    if (text[at] === ",") {
      if (name) tree.set(name, null);
      name = "";
    } else if (text[at] === "[") {
      const inner = parse(text, at + 1);
      tree.set(name, inner.tree);
      name = "";
      at = inner.end;
    } else name += text[at];
  }
  if (name) tree.set(name, null);
  return { tree, end: at };
}

function pick(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((one) => pick(one, tree));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (!tree.has(name)) return [];
      const inner = tree.get(name);
      return [[name, inner ? pick(member, inner) : member]];
    }),
  );
}
