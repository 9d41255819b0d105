import { existsSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/** The file of ours that an import means, by its path below the root, as `from`, which says it, is; null for packages. */
export function importedFile(from: string, specifier: string): string | null {
  const bare = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? path.posix.join(path.posix.dirname(from), specifier)
      : null;
  if (bare === null) return null;
  const names = [bare, `${bare}.ts`, `${bare}.tsx`].filter((name) => /\.tsx?$/.test(name));
  return names.find((name) => existsSync(path.join(root, name))) ?? null;
}
