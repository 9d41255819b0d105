// @ts-check
// The settings as the launcher reads them, before anything is built: the same rules as everywhere
// (lib/platform/env.ts).
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { misspelledSettings, readSettings } from "../../platform/env.ts";
import { LaunchError, root } from "./bootstrap.mjs";

/** Adds the lines of `.env` to the environment (existing variables win) and validates the settings. */
export function loadSettings() {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  for (const { name, meant } of misspelledSettings(Object.keys(process.env)))
    process.stderr.write(
      `Warning: ${name} is not a setting${meant ? `; did you mean ${meant}?` : " (see .env.example)."}\n`,
    );
  const settings = readSettings(process.env);
  checkDataDir(settings.DATA_DIR);
  return settings;
}

/** Throws if the data folder can't be used. @param {string} folder */
export function checkDataDir(folder) {
  const probe = path.join(folder, `.probe.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (cause) {
    const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOSPC" || code === "EDQUOT") return; // existing data can still be read
    const why =
      {
        EEXIST: "it is a file",
        ENOTDIR: "it or one of its parent folders is a file",
        EACCES: "this user isn't allowed to write there",
        EPERM: "this user isn't allowed to write there",
        EROFS: "it is read-only",
      }[code] ?? message;
    throw new LaunchError(`DATA_DIR ${folder} can't be used: ${why}.`, { cause });
  }
}
