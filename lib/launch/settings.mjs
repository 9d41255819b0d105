// @ts-check
// The settings as the launcher sees them, before anything is built: the same rules as everywhere (lib/env.ts).
import { existsSync } from "node:fs";
import path from "node:path";
import { readSettings } from "../env.ts";
import { root } from "./bootstrap.mjs";

/** Adds the lines of `.env` to the environment (what is set already stays) and checks the settings. */
export function loadSettings() {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  return readSettings(process.env);
}
