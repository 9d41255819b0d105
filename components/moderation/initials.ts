/** The first letters of a person's first and last name, or of a name of one word such as an address. */
export function initialsOf(name: string): string {
  const words =
    name
      .split("@")[0]
      ?.split(/[\s._-]+/)
      .filter(Boolean) ?? [];
  const [first = "", ...others] = words.map((word) => [...word][0] ?? "");
  return `${first}${others.at(-1) ?? ""}`.toUpperCase();
}
