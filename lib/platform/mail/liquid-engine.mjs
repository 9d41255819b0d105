// @ts-check
// The template engine. Plain JavaScript, since the worker thread for clients' templates loads it as is; the service
// uses it in process for its own templates.
import { Liquid } from "liquidjs";
import { LRUCache } from "lru-cache";

/** @typedef {"html" | "text"} Format */
/** @typedef {ReturnType<typeof makeEngines>} Engines */

/**
 * Maximum elapsed milliseconds of a client's template, on a busy machine. The engine checks it only between tags. What a
 * template may cost is limited by CPU time (liquid-worker.ts).
 */
const MAX_ELAPSED_MS = 1_000;

/** Characters of templates whose parsed form is cached. */
const CACHED_CHARACTERS = 1_000_000;

/** Maximum characters of a rendered text: email clients truncate it long before, and every email is stored. */
const MAX_RENDERED = 1_000_000;

// A template is untrusted: it reads no files (templates come only from memory, which has none), sees no inherited
// properties, and can't run or grow without limit.
const bounds = { templates: {}, ownPropertyOnly: true, strictFilters: true };
const limits = { renderLimit: MAX_ELAPSED_MS, parseLimit: 200_000, memoryLimit: 5_000_000 };

/** Engines for clients' templates, or for the service's own, which have no limits. */
export function makeEngines({ isTrusted = false } = {}) {
  const options = isTrusted ? bounds : { ...bounds, ...limits };
  const html = new Liquid({ ...options, outputEscape: "escape" });
  // Values are already escaped; templates written for engines that don't escape may escape again.
  for (const name of ["escape", "escape_once", "h"]) html.registerFilter(name, (/** @type {unknown} */ value) => value);
  // A client's emails in a run share their templates, and parsing takes longer than rendering. A parsed template takes
  // many times the memory of its text, and an editor's preview sends another text with every word.
  /** @type {LRUCache<string, import("liquidjs").Template[]>} */
  const parsed = new LRUCache({ maxSize: CACHED_CHARACTERS, sizeCalculation: (_, key) => key.length });
  return { html, text: new Liquid(options), parsed };
}

/**
 * Renders a template. In `html` every value is escaped unless it has `| raw`. Throws the template's error.
 * @param {Engines} engines
 * @param {Format} format
 * @param {string} template
 * @param {object} values
 * @returns {string}
 */
export function render({ parsed, ...engines }, format, template, values) {
  const engine = engines[format];
  const key = `${format}:${template}`;
  const read = parsed.get(key) ?? engine.parse(template);
  parsed.set(key, read);
  /** @type {string} */
  const rendered = engine.renderSync(read, values);
  if (rendered.length > MAX_RENDERED)
    throw new RangeError(`A template must not produce more than ${MAX_RENDERED} characters.`);
  return rendered;
}
