// @ts-check
// Stamps: a step stores the hash of its inputs next to its output, and is skipped while both are unchanged.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * The hash of files and folders, by content and by path relative to `root`. Missing ones count as empty.
 * @param {string} root
 * @param {string[]} inputs files or folders, relative to `root`
 * @param {(file: string) => boolean} [isIncluded] which files of the folders count; all by default
 */
export function hashOf(root, inputs, isIncluded = () => true) {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesOf(root, input)).sort()) {
    if (!isIncluded(file)) continue;
    hash.update(`${file}\0`).update(
      createHash("sha256")
        .update(readFileSync(path.join(root, file)))
        .digest(),
    );
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} input
 * @returns {string[]}
 */
function filesOf(root, input) {
  const found = statSync(path.join(root, input), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [input];
  return readdirSync(path.join(root, input), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** @param {string} file @param {string} hash */
export function isStamped(file, hash) {
  try {
    return readFileSync(file, "utf8") === hash;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return false;
    throw error;
  }
}

/** @param {string} file @param {string} hash */
export function stamp(file, hash) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, hash);
}
