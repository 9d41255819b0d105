import { AppError } from "@/lib/platform/errors";
import { baseline, migrations, migrationsBeforeBaseline } from "@/lib/tools/launch/migrate.mjs";

/**
 * The SQL of these migrations, in order; for all that preceded the baseline, the baseline's. Throws `conflict` for one
 * that this release lacks or has with other content: it can't create the rows' schema.
 */
export function readMigrations(
  requested: readonly { name: string; checksum: string }[],
): { name: string; sql: string }[] {
  const before = migrationsBeforeBaseline();
  const isOf = (list: readonly { name: string }[]) => (each: { name: string }) =>
    list.some(({ name }) => name === each.name);
  const known = new Map([...before, ...migrations()].map((each) => [each.name, each]));
  for (const { name, checksum } of requested)
    if (known.get(name)?.checksum !== checksum)
      throw new AppError("conflict", {
        reason: known.has(name) ? "backup_of_other_release" : "backup_of_unknown_release",
        params: { name },
      });
  if (!requested.some(isOf(before))) return migrations().filter(isOf(requested));
  if (before.every(isOf(requested))) return [baseline()];
  throw new AppError("conflict", { reason: "backup_of_early_release" });
}
