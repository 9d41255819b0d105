import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const folders: string[] = [];

/** A new temporary folder `candor-NAME-…`, deleted when the file's tests end, whatever their result (environment.ts). */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `candor-${name}-`));
  folders.push(folder);
  return folder;
}

export function deleteTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
