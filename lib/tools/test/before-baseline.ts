import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

/** The migrations that installations had applied before the baseline, verbatim. */
export const oldMigrations: { name: string; sql: string; checksum: string }[] = readFileSync(
  path.join(import.meta.dirname, "before-baseline.sql"),
  "utf8",
)
  .split(/^-- >>> (.*)\n/m)
  .slice(1)
  .flatMap((name, index, all) => (index % 2 === 0 ? [{ name, sql: all[index + 1] ?? "" }] : []))
  .map(({ name, sql }) => ({ name, sql, checksum: createHash("sha256").update(sql).digest("hex") }));
