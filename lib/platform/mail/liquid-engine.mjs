// @ts-check
// The template engine. Plain JavaScript: the service has it for templates of its own, and a thread that may be ended for
// those of clients, which loads files as they are.
import { Liquid } from "liquidjs";
import { LRUCache } from "lru-cache";

/** @typedef {"html" | "text"} Format */
/** @typedef {ReturnType<typeof makeEngines>} Engines */

/** Milliseconds that a template may take. The engine looks at the clock from tag to tag, and not within one. */
export const MAX_RENDER_MS = 250;

/** Characters of templates that are kept as they were read. */
const CACHED_CHARACTERS = 1_000_000;

/** Characters of what a template makes: mail programs cut a text off long before, and every mail of a client is stored. */
const MAX_RENDERED = 1_000_000;

// A template is a client's own text: it reads no files (templates come from memory only, and there are none), sees no
// inherited properties, and cannot run or grow without end.
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
  // Values are escaped already; templates written for engines that do not escape say so once more.
  for (const name of ["escape", "escape_once", "h"]) html.registerFilter(name, (/** @type {unknown} */ value) => value);
  // A client's mails of one run share their templates: reading them takes longer than filling them in. What is read takes
  // many times the memory of its text, and an editor's preview brings another text with every word typed.
  /** @type {LRUCache<string, import("liquidjs").Template[]>} */
  const parsed = new LRUCache({ maxSize: CACHED_CHARACTERS, sizeCalculation: (_, key) => key.length });
  return { html, text: new Liquid(bounds), parsed };
}

/**
 * Renders a template, in `most` milliseconds at the longest as far as the engine can tell. In `html` every value is
 * escaped unless it says `| raw`. Throws what the template is at fault for.
 * @param {Engines} engines
 * @param {Format} format
 * @param {string} template
 * @param {object} values
 * @returns {string}
 */
export function render({ parsed, ...engines }, format, template, values, most = MAX_RENDER_MS) {
  const engine = engines[format];
  const key = `${format}:${template}`;
  const read = parsed.get(key) ?? engine.parse(template);
  parsed.set(key, read);
  /** @type {string} */
  const rendered = engine.renderSync(read, values, { renderLimit: most });
  if (rendered.length > MAX_RENDERED)
    throw new RangeError(`A template must not produce more than ${MAX_RENDERED} characters.`);
  return rendered;
}
