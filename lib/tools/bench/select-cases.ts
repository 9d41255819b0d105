import { LaunchError } from "@/lib/tools/launch/bootstrap.mjs";

/** The names that hold what was asked for, all where nothing was. Throws where none does, and names them. */
export function selectCases(names: string[], only: string | undefined): Set<string> {
  const selected = names.filter((name) => only === undefined || name.includes(only));
  if (selected.length > 0) return new Set(selected);
  throw new LaunchError(`Nothing that is measured has "${only}" in its name. There are: ${names.join("; ")}.`);
}
