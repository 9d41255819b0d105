// @ts-check
// Runs one of our programs (TypeScript, through tsx) with everything it needs and with the database up: the running
// server's, or one started for the while.
import { childEnvironment, runInForeground } from "./bootstrap.mjs";
import { openDatabase } from "./database.mjs";
import { generateCode } from "./prepare.mjs";
import { loadSettings } from "./settings.mjs";

/**
 * @param {string} entry the program's file, relative to the root
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
export async function runWithDatabase(entry, args) {
  const settings = loadSettings();
  await generateCode();
  const database = await openDatabase(settings);
  try {
    // A larger young generation lets garbage of streamed imports pile up to 100 MB; with this they stay small.
    const node = ["--max-semi-space-size=16", "--import", "tsx"];
    return await runInForeground(process.execPath, [...node, entry, ...args], { env: childEnvironment() });
  } finally {
    await database.release();
  }
}
