import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

// A restore leaves a marker in the data folder while it runs, so that nothing starts on an incomplete installation. The
// launcher imports this file, too, so it imports no other code of Candor.

const markerPath = (dataDir: string): string => path.join(/* turbopackIgnore: true */ dataDir, "restore.json");

/** The error if a restore was started and didn't finish; else null. */
export function unfinishedRestore(dataDir: string): string | null {
  const marker = markerPath(dataDir);
  if (!existsSync(marker)) return null;
  return `A restore into this installation did not finish. Run it again: npm run -s admin -- restore FILE. (To abandon it, use a new DATA_DIR and an empty database, or delete ${marker}.)`;
}

/** The digest of the backup whose restore didn't finish, or null. */
export function unfinishedDigest(dataDir: string): string | null {
  const marker = markerPath(dataDir);
  return existsSync(marker) ? (JSON.parse(readFileSync(marker, "utf8")) as { digest: string }).digest : null;
}

export function markRestoreUnfinished(dataDir: string, digest: string): void {
  writeFileSync(markerPath(dataDir), JSON.stringify({ digest }), { mode: 0o600 });
}

export function clearUnfinishedRestore(dataDir: string): void {
  rmSync(markerPath(dataDir), { force: true });
}
