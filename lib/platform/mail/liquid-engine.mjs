// @ts-check
// The template engine. Plain JavaScript, since the worker thread for clients' templates loads it as is; the service
// uses it in process for its own templates.
import { Liquid } from "liquidjs";
import { LRUCache } from "lru-cache";

/** @typedef {"html" | "text"} Format */
/** @typedef {ReturnType<typeof makeEngines>} Engines */

/** Maximum milliseconds of a template. The engine checks the time only between tags. */
export const MAX_RENDER_MS = 250;

/** Characters of templates whose parsed form is cached. */
const CACHED_CHARACTERS = 1_000_000;

/** Maximum characters of a rendered text: email clients truncate it long before, and every email is stored. */
const MAX_RENDERED = 1_000_000;

// A template is untrusted: it reads no files (templates come only from memory, which has none), sees no inherited
// properties, and can't run or grow without limit.
const bounds = {
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  renderLimit: MAX_RENDER_MS,
  parseLimit: 200_000,
  memoryLimit: 5_000_000,
};

export function makeEngines() {
  const html = new Liquid({ ...bounds, outputEscape: "escape" });
  // Values are already escaped; templates written for engines that don't escape may escape again.
  for (const name of ["escape", "escape_once", "h"]) html.registerFilter(name, (/** @type {unknown} */ value) => value);
  // A client's emails in a run share their templates, and parsing takes longer than rendering. A parsed template takes
  // many times the memory of its text, and an editor's preview sends another text with every word.
  /** @type {LRUCache<string, import("liquidjs").Template[]>} */
  const parsed = new LRUCache({ maxSize: CACHED_CHARACTERS, sizeCalculation: (_, key) => key.length });
  return { html, text: new Liquid(bounds), parsed };
}

/**
 * Renders a template within `most` milliseconds, as far as the engine can check. In `html` every value is escaped
 * unless it has `| raw`. Throws the template's error.
 * @param {Engines} engines
 * @param {Format} format
 * @param {string} template
 * @param {object} values
 * @returns {string}
 */
export function render({ parsed, ...engines }, format, template, values, maxMs = MAX_RENDER_MS) {
  const engine = engines[format];
  const key = `${format}:${template}`;
  const read = parsed.get(key) ?? engine.parse(template);
  parsed.set(key, read);
  /** @type {string} */
  const rendered = engine.renderSync(read, values, { renderLimit: maxMs });
  if (rendered.length > MAX_RENDERED)
    throw new RangeError(`A template must not produce more than ${MAX_RENDERED} characters.`);
  return rendered;
}
