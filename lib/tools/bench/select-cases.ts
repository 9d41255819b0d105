import { LaunchError } from "@/lib/tools/launch/bootstrap.mjs";

/** Returns the names that contain `only`, or all without it. Throws an error with all names if none matches. */
export function selectCases(names: string[], only: string | undefined): Set<string> {
  const selected = names.filter((name) => only === undefined || name.includes(only));
  if (selected.length > 0) return new Set(selected);
  throw new LaunchError(`No benchmark name contains "${only}". Benchmarks: ${names.join("; ")}.`);
}
