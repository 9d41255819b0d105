import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "@/lib/platform/errors";
import { root } from "@/lib/tools/launch/bootstrap.mjs";

const folder = path.join(root, "prisma/migrations");
const scriptOf = (name: string): string => path.join(folder, name, "migration.sql");

/**
 * The SQL of these migrations, in their order. Throws `conflict` for one that this release does not have, or has with other
 * content: the rows are of a schema that it cannot make.
 */
export function readMigrations(wanted: readonly { name: string; checksum: string }[]): { name: string; sql: string }[] {
  const known = new Set(readdirSync(folder).filter((name) => existsSync(scriptOf(name))));
  return [...wanted]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, checksum }) => {
      const sql = known.has(name) ? readFileSync(scriptOf(name)) : null;
      if (sql === null || createHash("sha256").update(sql).digest("hex") !== checksum)
        throw new AppError(
          "conflict",
          `The backup is of another release: ${sql ? "this one has a different" : "this one does not know the"} migration ${name}. Restore it with the release that made it, or a newer one.`,
        );
      return { name, sql: sql.toString("utf8") };
    });
}
