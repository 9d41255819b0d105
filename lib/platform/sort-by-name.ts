const before = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Sorts rows by name, ignoring case, like `order by lower(name), name`. */
export const sortByName = <R extends { name: string }>(rows: readonly R[]): R[] =>
  [...rows].sort((a, b) => before(a.name.toLowerCase(), b.name.toLowerCase()) || before(a.name, b.name));
