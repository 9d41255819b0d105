// @ts-check
// Builds the widget's scripts and styles into generated/assets.ts, which the server serves. Fails if they exceed
// MAX_BYTES.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

/**
 * Maximum bytes, gzipped: the script with its styles and longest messages; what loads when a form is opened; what loads
 * in pages made for a hosted service.
 */
const MAX_BYTES = { script: 12_000, form: 4_000, compat: 6_000 };
/** Maximum bytes that a client's settings and messages add to the script, gzipped. */
const SETTINGS_BYTES = 1_500;

const here = import.meta.dirname;
/** Browsers with constructable style sheets, container queries and <dialog>: from 2023 on. */
const target = ["chrome111", "firefox113", "safari16.4"];

/** @param {string} name */
const css = async (name) =>
  (await transform(readFileSync(path.join(here, name), "utf8"), { loader: "css", minify: true, target })).code.trim();

/** @param {string} entry @param {"iife" | "esm"} format @param {Record<string, string>} define */
async function bundle(entry, format, define) {
  const { outputFiles } = await build({
    entryPoints: [path.join(here, "browser", entry)],
    absWorkingDir: path.resolve(here, "../../.."),
    bundle: true,
    minify: true,
    write: false,
    format,
    charset: "utf8",
    legalComments: "none",
    target,
    define,
  });
  return outputFiles[0]?.text.trim() ?? "";
}

const styles = await css("widget.css");
/** Inside a shadow tree, where everything is the widget's, selectors needn't say so. @param {string} text */
const scoped = (text) => JSON.stringify(text.replaceAll(".candor ", ""));

const script = await bundle("main.ts", "esm", { __STYLES__: scoped(styles) });
// A script from before an upgrade has styles with the prefix. The form's styles keep the prefix too, or they would lose against those.
const form = await bundle("form.ts", "esm", { __FORM_STYLES__: JSON.stringify(await css("form.css")) });
const compat = await bundle("compat.ts", "esm", {});

for (const [name, bytes, most] of /** @type {const} */ ([
  ["script", gzipSync(script, { level: 9 }).length + SETTINGS_BYTES, MAX_BYTES.script],
  ["form", gzipSync(form, { level: 9 }).length, MAX_BYTES.form],
  ["compat", gzipSync(compat, { level: 9 }).length, MAX_BYTES.compat],
]))
  if (bytes > most) throw new Error(`The widget's ${name} has grown to ${bytes} bytes; ${most} are allowed.`);

const version = createHash("sha256")
  .update(script)
  .update(form)
  .update(compat)
  .update(styles)
  .digest("hex")
  .slice(0, 12);
mkdirSync(path.join(here, "generated"), { recursive: true });
writeFileSync(
  path.join(here, "generated/assets.ts"),
  `// Made by lib/display/widget/build.mjs.\n${Object.entries({ script, form, compat, styles, version })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join("")}`,
);
